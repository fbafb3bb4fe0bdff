#include "suggest.hpp"

#include <algorithm>
#include <utility>

#include "hgnet/core/nearest_name.hpp"

namespace hgnet::app {
namespace {

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> command_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* each : command.get_subcommands({})) names.push_back(each->get_name());
  return names;
}

std::string described(const CLI::App& command, const std::string& argument) {
  if (argument.size() > 1 && argument.front() == '-') {
    const std::string name = argument.substr(0, argument.find('='));
    return "unknown option " + name + suggestion(name, option_names(command));
  }
  const std::vector<std::string> known = command_names(command);
  if (known.empty()) return "unexpected argument '" + argument + "'";
  return "unknown command '" + argument + "'" + suggestion(argument, known);
}

}  // namespace

std::string unknown_argument(const CLI::App& program) {
  const CLI::App* command = &program;
  while (command->remaining().empty()) {
    if (command->get_subcommands().empty()) return "";
    command = command->get_subcommands().front();
  }
  return described(*command, command->remaining().front());
}

std::string command_words(const CLI::App& program) {
  std::string words = program.get_name();
  for (const CLI::App* command = &program; !command->get_subcommands().empty();) {
    command = command->get_subcommands().front();
    words += " " + command->get_name();
  }
  return words;
}

CLI::Validator one_of(std::vector<std::string> names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "{" : ",") + name;
  return {[names = std::move(names)](const std::string& text) -> std::string {
            if (std::find(names.begin(), names.end(), text) != names.end()) return {};
            return unknown_name("value", text, names);
          },
          all + "}"};
}

}  // namespace hgnet::app
