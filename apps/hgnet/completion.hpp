// The program's commands as completion scripts need them.

#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace hgnet::app {

/// What may stand for a value.
struct Candidates {
  std::vector<std::string> words;
  bool files = false;
  bool folders = false;
};

struct CompletedOption {
  std::vector<std::string> names;  // "-h", "--help"; of a positional, what it is called
  std::string help;
  bool takes_value = false;
  bool takes_many = false;
  Candidates values;
};

/// A command, its options and what is below it. `path` is "hgnet" or "hgnet inspect".
struct CompletedCommand {
  std::string path;
  std::string name;
  std::string help;
  std::vector<CompletedOption> options;
  std::vector<CompletedOption> positionals;
  std::vector<CompletedCommand> commands;
};

/// Candidates come from an option's list of members or else from its type name: DATASET, MODEL, FILE, FOLDER, several of them
/// with '|' between. TEXT may be a file; anything else has none.
CompletedCommand completed_command(const CLI::App& app);

std::string bash_completion(const CompletedCommand& program);
std::string zsh_completion(const CompletedCommand& program);

}  // namespace hgnet::app
