// Command-line options of a fit: one for each field of a TrainConfig except model, seed and fold.

#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "hgnet/settings/config.hpp"

namespace hgnet::app {

class TrainOptions {
 public:
  void add_to(CLI::App& command);

  /// Sets the given options and nothing else.
  void apply(TrainConfig& config) const;
  /// Sets the given options one after the other, but only those for which `useful` accepts the
  /// resulting configuration. Adds their names to `used`.
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

/// An option that takes one value, or several separated by commas.
template <class T>
CLI::Option* add_list(CLI::App& command, const std::string& name, std::vector<T>& values,
                      const std::string& help) {
  return command.add_option(name, values, help)->delimiter(',')->allow_extra_args(false);
}

/// Accepts the name of a model, ignoring case; for anything else, the message suggests the nearest
/// name.
CLI::Validator model_name();

/// Refuses options beside --resume that `change` does not have, because of what is kept.
void check_resume(const CLI::App& command, const std::set<std::string>& change,
                  const std::string& kept);

}  // namespace hgnet::app
