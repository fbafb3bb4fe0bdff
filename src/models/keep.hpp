#pragma once

#include "hgnet/coarsening/top_k.hpp"

namespace hgnet {

/// A number of ModelConfig::keep: up to 1 a share of the nodes, above a count.
inline Keep keep_of(double number) {
  if (number <= 1) return {.ratio = number};
  return {.count = static_cast<std::int64_t>(number)};
}

}  // namespace hgnet
