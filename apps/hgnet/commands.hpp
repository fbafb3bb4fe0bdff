// One function per subcommand: adds it to the program. What a command does starts in its callback;
// it reports failure by throwing.

#pragma once

#include <CLI/CLI.hpp>
#include <stdexcept>

namespace hgnet::app {

/// The work was done and its outcome is bad: exit code 1, the message without an "error".
class Failed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The groups under which `hgnet --help` lists the commands.
inline constexpr const char* kDataGroup = "Data";
inline constexpr const char* kModelGroup = "Graphs and models";
inline constexpr const char* kToolGroup = "Tools";

void add_completion(CLI::App& program);
void add_datasets(CLI::App& program);
void add_download(CLI::App& program);
void add_generate(CLI::App& program);
void add_hierarchy(CLI::App& program);
void add_inspect(CLI::App& program);
void add_selfcheck(CLI::App& program);

}  // namespace hgnet::app
