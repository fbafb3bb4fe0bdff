// Options of a fit on the command line: one for each field of a TrainConfig.

#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "hgnet/train/config.hpp"

namespace hgnet::app {

class TrainOptions {
 public:
  void add_to(CLI::App& command);

  /// Sets what was given, and nothing else.
  void apply(TrainConfig& config) const;

 private:
  std::vector<std::function<void(TrainConfig&)>>
      given_;  // each does nothing unless its option was given
};

/// What is wrong with the name of a model; empty: nothing.
std::string model_problem(const std::string& name);

}  // namespace hgnet::app
