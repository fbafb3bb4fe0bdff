// Options of every command that applies a trained model.

#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "hgnet/train/not_finite.hpp"

namespace hgnet::app {

/// Where to find data, and the number of threads.
struct FitUse {
  std::string root;
  int threads = 1;

  void add_to(CLI::App& command);
};

/// The option of commands that show a model's answers.
void add_allow_nonfinite(CLI::App& command, NonFinite& choice);

}  // namespace hgnet::app
