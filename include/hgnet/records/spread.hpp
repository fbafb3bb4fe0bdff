#pragma once

#include <optional>
#include <vector>

namespace hgnet {

/// Mean and sample standard deviation (0 for a single value).
struct Summary {
  int count = 0;
  double mean = 0;
  double deviation = 0;

  /// The deviation; none for a single value.
  std::optional<double> spread() const {
    return count > 1 ? std::optional(deviation) : std::nullopt;
  }
};

/// Ignores NaN values.
Summary summary_of(const std::vector<double>& values);

}  // namespace hgnet
