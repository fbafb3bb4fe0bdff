#pragma once

#include <vector>

#include "hgnet/core/ids.hpp"
#include "hgnet/graph/parent_map.hpp"

namespace hgnet {

inline constexpr EdgeId kNoSlot = -1;

/// Pairs of fine nodes, each made into one coarse node; the other nodes stay alone.
struct Contraction {
  ParentMap parent;
  /// By coarse node: the slot of the directed edge that was contracted, kNoSlot for a node left
  /// alone.
  std::vector<EdgeId> slot;
};

}  // namespace hgnet
