// Several fits that belong together: models over seeds and folds.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "hgnet/settings/planned_fit.hpp"

namespace hgnet {

/// The file of a protocol in the folder of its run.
inline constexpr const char* kPlanFile = "plan.json";

/// The fits of a protocol: each configuration (one per model) over seeds and folds.
struct Protocol {
  std::vector<TrainConfig> configs;
  std::vector<std::uint64_t> seeds;
  std::vector<std::int64_t> folds;

  std::string to_json() const;
  /// Throws InvalidFile, naming `file`, for any other text, and for what check() refuses.
  static Protocol from_json(std::string_view json, const std::string& file);

  /// Throws Error, with the numbers, unless there are 1 to 1,000,000 fits and no fold is negative,
  /// except for -1, which means none.
  void check() const;

  /// Ordered model by model within a seed and fold, so that models can be compared at any time.
  std::vector<PlannedFit> fits(const std::filesystem::path& out) const;

 private:
  PlannedFit fit(const TrainConfig& config, std::uint64_t seed, std::int64_t fold,
                 const std::filesystem::path& out) const;
};

}  // namespace hgnet
