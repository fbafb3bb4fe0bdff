#pragma once

#include <span>
#include <utility>
#include <vector>

#include "hgnet/coarsening/contraction.hpp"

namespace hgnet {

/// Builds coarse nodes from pairs: mate[v] is v's partner, or v itself or kNoNode for an unmerged
/// node. slot_of(v) returns the contracted slot; it is called for the smaller member of each coarse
/// node.
template <class SlotOf>
Contraction number_by_smallest_member(std::span<const NodeId> mate, const SlotOf& slot_of) {
  Contraction result;
  std::vector<NodeId> parent(mate.size());
  NodeId next = 0;
  for (NodeId v = 0; v < static_cast<NodeId>(mate.size()); ++v) {
    if (mate[v] != kNoNode && mate[v] < v) {
      parent[v] = parent[mate[v]];
      continue;
    }
    parent[v] = next++;
    result.slot.push_back(mate[v] == kNoNode ? kNoSlot : slot_of(v));
  }
  result.parent = ParentMap(std::move(parent), next);
  return result;
}

}  // namespace hgnet
