#pragma once

#include <vector>

#include "hgnet/core/ids.hpp"
#include "hgnet/graph/parent_map.hpp"

namespace hgnet {

inline constexpr EdgeId kNoSlot = -1;

/// Pairs of fine nodes, each merged into one coarse node; the other nodes stay unmerged.
struct Contraction {
  ParentMap parent;
  /// By coarse node: the slot of the directed edge that was contracted; kNoSlot for an unmerged
  /// node.
  std::vector<EdgeId> slot;
};

}  // namespace hgnet
