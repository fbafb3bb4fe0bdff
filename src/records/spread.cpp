#include "hgnet/records/spread.hpp"

#include <cmath>

#include "hgnet/records/metrics.hpp"

namespace hgnet {

Summary summary_of(const std::vector<double>& values) {
  Summary result;
  double sum = 0;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    sum += value;
    ++result.count;
  }
  if (result.count == 0) return result;
  result.mean = sum / result.count;
  double squares = 0;
  for (const double value : values) {
    if (std::isfinite(value)) squares += (value - result.mean) * (value - result.mean);
  }
  if (result.count > 1) result.deviation = std::sqrt(squares / (result.count - 1));
  return result;
}

std::string summary_text(std::string_view metric, const Summary& summary) {
  const auto spread = summary.spread();
  return score_with_unit(metric, summary.mean) +
         (spread ? " +- " + score_with_unit(metric, *spread) : "");
}

}  // namespace hgnet
