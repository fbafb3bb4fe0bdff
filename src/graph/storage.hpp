#pragma once

#include <array>

#include "hgnet/core/lazy.hpp"
#include "hgnet/graph/graph.hpp"

namespace hgnet {

struct Graph::Storage {
  GraphParts parts;
  EdgeId num_self_loops = 0;
  Lazy<std::vector<EdgeId>> reverse;
  std::array<Lazy<GcnNormalisation>, kSelfLoopFills> gcn;  // by SelfLoopFill
};

}  // namespace hgnet
