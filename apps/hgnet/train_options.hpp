// Options of a fit on the command line: one for each field of a TrainConfig but model, seed and fold.

#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "hgnet/train/config.hpp"

namespace hgnet::app {

class TrainOptions {
 public:
  void add_to(CLI::App& command);

  /// Sets what was given, and nothing else.
  void apply(TrainConfig& config) const;
  /// Sets, one after the other, those of the given settings that `useful` says yes to for the configuration that has them. Their options are noted in `used`.
  void apply_useful(TrainConfig& config, const std::function<bool(const TrainConfig&)>& useful,
                    std::set<std::string>& used) const;
  /// The options that were given.
  std::vector<std::string> given() const;

 private:
  struct Setting {
    CLI::Option* option;
    std::function<void(TrainConfig&)> set;
  };
  std::vector<Setting> settings_;
};

/// An option that takes one value, or several with commas between.
template <class T>
CLI::Option* add_list(CLI::App& command, const std::string& name, std::vector<T>& values,
                      const std::string& help) {
  return command.add_option(name, values, help)->delimiter(',')->allow_extra_args(false);
}

/// Takes the name of a model in letters of either case; what is wrong is said with the nearest name.
CLI::Validator model_name();

}  // namespace hgnet::app
