// Options of every command that applies a trained model.

#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace hgnet::app {

/// Where to find data, and the number of threads.
struct FitUse {
  std::string root;
  int threads = 1;

  void add_to(CLI::App& command);
};

}  // namespace hgnet::app
