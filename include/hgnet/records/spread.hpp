#pragma once

#include <optional>
#include <string>
#include <string_view>
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

/// "81.53 % +- 0.42 %", or "81.53 %" of a single value.
std::string summary_text(std::string_view metric, const Summary& summary);

}  // namespace hgnet
