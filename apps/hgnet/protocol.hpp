// Several fits that belong together: models over seeds and folds.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "hgnet/train/planned_fit.hpp"

namespace hgnet::app {

/// The fits of a protocol: each configuration (they differ in the model) over seeds and folds.
struct Protocol {
  std::vector<TrainConfig> configs;
  std::vector<std::uint64_t> seeds;
  std::vector<std::int64_t> folds;

  std::string to_json() const;
  /// Throws InvalidFile, with `file` as its name, for text that is not of a protocol with a fit at least.
  static Protocol from_json(std::string_view json, const std::string& file);

  /// Throws Error, with the numbers, unless there is one fit at least, not more than a machine can do, and no fold is negative but the -1
  /// that stands for none.
  void check() const;

  /// Model by model within a seed and fold, so that models can be compared at any time.
  std::vector<PlannedFit> fits(const std::filesystem::path& out) const;

 private:
  PlannedFit fit(const TrainConfig& config, std::uint64_t seed, std::int64_t fold,
                 const std::filesystem::path& out) const;
};

}  // namespace hgnet::app
