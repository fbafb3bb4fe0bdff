// hgnet completion: scripts that let shells complete the program's arguments.

#include "completion.hpp"

#include <iostream>
#include <memory>
#include <sstream>

#include "commands.hpp"
#include "hgnet/config/model_table.hpp"
#include "hgnet/data/registry.hpp"
#include "hgnet/data/split_choice.hpp"
#include "hgnet/records/metrics.hpp"
#include "suggest.hpp"

namespace hgnet::app {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

/// "TEXT:{a,b}" is how CLI11 describes a choice among members.
Candidates candidates_of(const CLI::Option& option) {
  const std::string description = option.get_type_name();
  const std::size_t colon = description.find(':');
  const std::string check = colon == std::string::npos ? "" : description.substr(colon + 1);
  if (check.size() >= 2 && check.front() == '{' && check.back() == '}') {
    return {.words = split(check.substr(1, check.size() - 2), ',')};
  }
  Candidates result;
  for (const std::string& type :
       split(description.substr(0, description.find_first_of(":,")), '|')) {
    result.files = result.files || type == "FILE" || type == "TEXT" || type == "GRAPH";
    if (type == "DATASET" || type == "GRAPH") {
      for (const KnownDataset& set : known_datasets()) result.words.push_back(set.name);
    } else if (type == "MODEL") {
      for (const std::string& name : model_names()) result.words.push_back(name);
    } else if (type == "SPLIT") {
      result.words = drawn_splits();
      for (const char* name : {"public", "scaffold"}) result.words.push_back(name);
    } else if (type == "METRIC") {
      result.words = metric_names();
    } else if (type == "FOLDER") {
      result.folders = true;
    }
  }
  return result;
}

/// An option can be both: a data set is named with or without --dataset.
enum class As { kPositional, kOption };

CompletedOption completed_option(const CLI::Option& option, As as) {
  CompletedOption result{.names = {},
                         .help = option.get_description(),
                         .takes_value = option.get_items_expected_max() > 0,
                         .takes_many = option.get_items_expected_max() > 1,
                         .values = {}};
  if (as == As::kPositional) {
    result.names.push_back(option.get_name(true, false));
  } else {
    for (const std::string& name : option.get_snames()) result.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) result.names.push_back("--" + name);
  }
  if (result.takes_value) result.values = candidates_of(option);
  return result;
}

CompletedCommand completed_below(const CLI::App& app, const std::string& path) {
  CompletedCommand result{.path = path,
                          .name = app.get_name(),
                          .help = app.get_description(),
                          .options = {},
                          .positionals = {},
                          .commands = {}};
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional())
      result.positionals.push_back(completed_option(*option, As::kPositional));
    if (!option->get_positional() || !option->get_lnames().empty())
      result.options.push_back(completed_option(*option, As::kOption));
  }
  for (const CLI::App* command : app.get_subcommands({})) {
    result.commands.push_back(completed_below(*command, path + " " + command->get_name()));
  }
  return result;
}

void run_completion(const CLI::App& program, const std::string& shell) {
  const CompletedCommand command = completed_command(program);
  std::cout << (shell == "bash" ? bash_completion(command) : zsh_completion(command));
}

}  // namespace

CompletedCommand completed_command(const CLI::App& app) {
  return completed_below(app, app.get_name());
}

void add_completion(CLI::App& program) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command = program.add_subcommand(
      "completion", "Print a script for shell completion of commands, options and names");
  command->group(kToolGroup);
  command->add_option("shell", *shell, "The shell")->required()->check(one_of({"bash", "zsh"}));
  command->footer(
      "Examples:\n"
      "  source <(hgnet completion bash)     # in ~/.bashrc\n"
      "  source <(hgnet completion zsh)      # in ~/.zshrc, after compinit");
  command->callback([&program, shell] { run_completion(program, *shell); });
}

}  // namespace hgnet::app
