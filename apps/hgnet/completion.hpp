// The program's commands as completion scripts need them.

#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace hgnet::app {

/// The possible values of an option.
struct Candidates {
  std::vector<std::string> words;
  bool files = false;
  bool folders = false;
};

struct CompletedOption {
  std::vector<std::string> names;  // "-h", "--help"; for a positional, its name
  std::string help;
  bool takes_value = false;
  bool takes_many = false;
  Candidates values;
};

/// A command, its options and its subcommands. `path` is "hgnet" or "hgnet inspect".
struct CompletedCommand {
  std::string path;
  std::string name;
  std::string help;
  std::vector<CompletedOption> options;
  std::vector<CompletedOption> positionals;
  std::vector<CompletedCommand> commands;
};

/// Candidates come from an option's list of choices or else from its type name: DATASET, MODEL,
/// FILE, FOLDER, or several of them separated by '|'. TEXT may be a file; other types have no
/// candidates.
CompletedCommand completed_command(const CLI::App& app);

std::string bash_completion(const CompletedCommand& program);
std::string zsh_completion(const CompletedCommand& program);

}  // namespace hgnet::app
