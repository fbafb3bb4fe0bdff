#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <string>

#include "hgnet/core/error.hpp"
#include "hgnet/core/text.hpp"

namespace hgnet {

/// Throws InvalidGraph when the weights' magnitudes sum to more than a float holds: then so may the
/// degree of a node, or the weight of a coarse edge.
inline void check_weight_sum(std::span<const float> weights) {
  double sum = 0;
  for (const float weight : weights) sum += std::abs(static_cast<double>(weight));
  if (sum <= std::numeric_limits<float>::max()) return;
  throw InvalidGraph("graph: the magnitudes of its weights sum to " + short_number(sum) +
                     "; expected at most " + short_number(std::numeric_limits<float>::max()));
}

}  // namespace hgnet
