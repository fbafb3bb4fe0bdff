#pragma once

#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "graph/row_parallel.hpp"
#include "hgnet/coarsening/contraction.hpp"

namespace hgnet {

/// Builds coarse nodes from pairs: mate[v] is v's partner, or v itself or kNoNode for an unmerged
/// node. slot_of(v) returns the contracted slot; it is called for the smaller member of each coarse
/// node.
template <class SlotOf>
Contraction number_by_smallest_member(std::span<const NodeId> mate, const SlotOf& slot_of,
                                      int threads = 1) {
  constexpr std::int64_t kWorkPerNode = 16;
  const auto num_nodes = static_cast<std::int64_t>(mate.size());
  const int parts = useful_threads(num_nodes * kWorkPerNode, threads);
  const auto first_of = [&](int part) { return static_cast<NodeId>(num_nodes * part / parts); };
  const auto smallest = [&](NodeId v) { return mate[v] == kNoNode || mate[v] >= v; };

  std::vector<NodeId> first_parent(parts, 0);
  const auto count_part = [&](int part) {
    NodeId count = 0;
    const NodeId end = first_of(part + 1);
    for (NodeId v = first_of(part); v < end; ++v) count += smallest(v) ? 1 : 0;
    first_parent[part + 1] = count;
  };
  if (parts > 1) run_parts(parts - 1, count_part);
  std::partial_sum(first_parent.begin(), first_parent.end(), first_parent.begin());

  std::vector<NodeId> parent(mate.size());
  std::vector<std::vector<EdgeId>> slots(parts);
  run_parts(parts, [&](int part) {
    const NodeId begin = first_of(part);
    const NodeId end = first_of(part + 1);
    NodeId next = first_parent[part];
    slots[part].reserve(end - begin);
    for (NodeId v = begin; v < end; ++v) {
      if (smallest(v)) {
        parent[v] = next++;
        slots[part].push_back(mate[v] == kNoNode ? kNoSlot : slot_of(v));
      } else if (mate[v] >= begin) {
        parent[v] = parent[mate[v]];
      }
    }
  });
  // Partners in the range of another thread have their number now.
  run_parts(parts, [&](int part) {
    const NodeId begin = first_of(part);
    const NodeId end = first_of(part + 1);
    for (NodeId v = begin; part > 0 && v < end; ++v) {
      if (!smallest(v) && mate[v] < begin) parent[v] = parent[mate[v]];
    }
  });
  Contraction result{{}, std::move(slots.front())};
  for (int part = 1; part < parts; ++part)
    result.slot.insert(result.slot.end(), slots[part].begin(), slots[part].end());
  result.parent = ParentMap(std::move(parent), static_cast<NodeId>(result.slot.size()));
  return result;
}

}  // namespace hgnet
