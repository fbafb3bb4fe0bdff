// The scripts themselves. They contain tables, so completing does not run the program.

#include <functional>
#include <sstream>

#include "commands.hpp"
#include "completion.hpp"

namespace hgnet::app {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

void for_each_command(const CompletedCommand& command,
                      const std::function<void(const CompletedCommand&)>& visit) {
  visit(command);
  for (const CompletedCommand& below : command.commands) for_each_command(below, visit);
}

// --- bash

std::string bash_assignments(const Candidates& values) {
  std::string text = " words=" + shell_quoted(joined(values.words));
  if (values.files) text += " kind=file";
  if (values.folders && !values.files) text += " kind=directory";
  return text + " ;;\n";
}

/// For each command: a case for each option that takes a value, one for everything that may begin
/// with "-", and one for the rest.
void write_bash_cases(std::ostream& out, const CompletedCommand& command) {
  Candidates rest;
  std::vector<std::string> names;
  for (const CompletedCommand& below : command.commands) rest.words.push_back(below.name);
  for (const CompletedOption& positional : command.positionals) {
    const Candidates& values = positional.values;
    rest.words.insert(rest.words.end(), values.words.begin(), values.words.end());
    rest.files |= values.files;
    rest.folders |= values.folders;
  }
  for (const CompletedOption& option : command.options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
    if (!option.takes_value) continue;
    for (const std::string& name : option.names) {
      out << "    " << shell_quoted(command.path + "," + name + ",") << "*)"
          << bash_assignments(option.values);
    }
  }
  // If only options can follow, offer them at once.
  const bool only_options = rest.words.empty() && !rest.files && !rest.folders;
  out << "    " << shell_quoted(command.path + ",") << "*,-*)"
      << bash_assignments({.words = names});
  out << "    " << shell_quoted(command.path + ",") << "*)"
      << bash_assignments(only_options ? Candidates{.words = names} : rest);
}

// --- zsh

/// For text in brackets or between colons.
std::string zsh_escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string zsh_action(const Candidates& values) {
  std::string action;
  if (!values.words.empty()) action = "compadd -- " + joined(values.words);
  if (values.files || values.folders) {
    action += std::string(action.empty() ? "" : "; ") + (values.files ? "_files" : "_files -/");
  }
  return action.empty() ? " " : "{" + action + "}";
}

void write_zsh_options(std::ostream& out, const CompletedCommand& command) {
  for (const CompletedOption& option : command.options) {
    for (const std::string& name : option.names) {
      std::ostringstream spec;
      spec << '(' << joined(option.names) << ')' << name;
      if (option.takes_value) spec << (name.starts_with("--") ? '=' : '+');
      spec << '[' << zsh_escaped(option.help) << ']';
      if (option.takes_value) spec << ":value:" << zsh_action(option.values);
      out << " \\\n    " << shell_quoted(spec.str());
    }
  }
}

std::string zsh_function(const CompletedCommand& command) {
  std::string name = "_" + command.path;
  for (char& c : name) c = c == ' ' ? '_' : c;
  return name;
}

/// A command with subcommands: completes their names here; their own functions complete the rest.
void write_zsh_dispatch(std::ostream& out, const CompletedCommand& command) {
  out << "  local curcontext=$curcontext state line\n  typeset -A opt_args\n  _arguments -C";
  write_zsh_options(out, command);
  out << " \\\n    '1:command:->command' \\\n    '*::argument:->argument' && return\n"
      << "  case $state in\n    command)\n      local -a commands\n      commands=(\n";
  for (const CompletedCommand& below : command.commands) {
    out << "        " << shell_quoted(below.name + ":" + zsh_escaped(below.help)) << "\n";
  }
  out << "      )\n      _describe command commands ;;\n    argument)\n      case $line[1] in\n";
  for (const CompletedCommand& below : command.commands) {
    out << "        " << below.name << ") " << zsh_function(below) << " ;;\n";
  }
  out << "      esac ;;\n  esac\n";
}

void write_zsh_function(std::ostream& out, const CompletedCommand& command) {
  out << "\n" << zsh_function(command) << "() {\n";
  if (!command.commands.empty()) {
    write_zsh_dispatch(out, command);
  } else {
    out << "  _arguments";
    write_zsh_options(out, command);
    for (const CompletedOption& positional : command.positionals) {
      const std::string spec = std::string(positional.takes_many ? "*" : "") + ":" +
                               zsh_escaped(positional.names.front()) + ":" +
                               zsh_action(positional.values);
      out << " \\\n    " << shell_quoted(spec);
    }
    out << "\n";
  }
  out << "}\n";
}

}  // namespace

std::string bash_completion(const CompletedCommand& program) {
  std::ostringstream out;
  out << "# bash completion of " << program.name << ", made by: " << program.name
      << " completion bash\n\n_" << program.name << R"(() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
  local path=)"
      << program.name << R"( word words= kind=
  # bash makes three words of --option=value.
  if [[ $cur == = ]]; then
    cur=
  elif [[ $prev == = ]]; then
    prev=${COMP_WORDS[COMP_CWORD-2]}
  fi
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in
      )";
  std::string paths;
  for_each_command(program, [&](const CompletedCommand& command) {
    if (command.path == program.path) return;
    paths += (paths.empty() ? "" : "|") + shell_quoted(command.path);
  });
  out << paths << R"() path="$path $word" ;;
    esac
  done
  case "$path,$prev,$cur" in
)";
  for_each_command(program,
                   [&](const CompletedCommand& command) { write_bash_cases(out, command); });
  out << R"(  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" ${kind:+-A "$kind"} -- "$cur")
  [[ -z $kind ]] || compopt -o filenames 2>/dev/null
}
complete -F _)"
      << program.name << " " << program.name << "\n";
  return out.str();
}

std::string zsh_completion(const CompletedCommand& program) {
  std::ostringstream out;
  out << "#compdef " << program.name << "\n# zsh completion of " << program.name
      << ", made by: " << program.name << " completion zsh\n";
  for_each_command(program,
                   [&](const CompletedCommand& command) { write_zsh_function(out, command); });
  // As a file in $fpath this is the function itself; otherwise it is sourced.
  const std::string name = zsh_function(program);
  out << "\nif [[ $funcstack[1] == " << name << " ]]; then\n  " << name
      << " \"$@\"\nelse\n  compdef " << name << " " << program.name << "\nfi\n";
  return out.str();
}

}  // namespace hgnet::app
