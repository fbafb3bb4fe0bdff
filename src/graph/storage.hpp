#pragma once

#include <array>

#include "hgnet/core/lazy.hpp"
#include "hgnet/graph/graph.hpp"

namespace hgnet {

struct Graph::Storage {
  /// The parts' own memory.
  explicit Storage(GraphParts parts, EdgeId self_loops);
  Storage(const GraphView& view, std::shared_ptr<const void> owner);

  GraphView data;
  std::shared_ptr<const void> owner;  // of the memory
  EdgeId num_self_loops = 0;
  Lazy<std::vector<EdgeId>> reverse;
  std::array<Lazy<GcnNormalisation>, kSelfLoopFills> gcn;  // by SelfLoopFill
};

}  // namespace hgnet
