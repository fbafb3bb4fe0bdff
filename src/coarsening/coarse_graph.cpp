#include "hgnet/coarsening/coarse_graph.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "hgnet/core/error.hpp"
#include "hgnet/graph/contraction.hpp"

namespace hgnet {
namespace {

/// Calls visit(p, q) for every pair of adjacent coarse nodes, once in each direction, p ascending.
template <class Visit>
void for_coarse_edges(const Graph& fine, const ParentMap& parent, SelfLoops self_loops,
                      const Visit& visit) {
  const CsrView csr = fine.csr();
  const CsrView members = parent.members();
  const std::span<const NodeId> parent_of = parent.parents();
  const bool keep_loops = self_loops == SelfLoops::kKeep;
  std::vector<NodeId> seen_by(members.num_rows(), kNoNode);
  for (NodeId p = 0; p < members.num_rows(); ++p) {
    for (EdgeId m = members.offsets[p]; m < members.offsets[p + 1]; ++m) {
      const NodeId v = members.columns[m];
      for (EdgeId s = csr.offsets[v]; s < csr.offsets[v + 1]; ++s) {
        const NodeId q = parent_of[csr.columns[s]];
        if (q == kNoNode || seen_by[q] == p || (q == p && !keep_loops)) continue;
        seen_by[q] = p;
        visit(p, q);
      }
    }
  }
}

/// The coarse slot that each fine slot falls into, or kNoSlot.
std::vector<EdgeId> slots_above(const Graph& fine, const ParentMap& parent, const Graph& coarse) {
  std::vector<EdgeId> slots(fine.num_edges(), kNoSlot);
  std::vector<EdgeId> slot_of(coarse.num_nodes(), kNoSlot);
  for (NodeId p = 0; p < coarse.num_nodes(); ++p) {
    const EdgeId begin = coarse.offsets()[p];
    for (EdgeId s = begin; s < coarse.offsets()[p + 1]; ++s) slot_of[coarse.columns()[s]] = s;
    for (const NodeId v : parent.members(p)) {
      for (EdgeId s = fine.offsets()[v]; s < fine.offsets()[v + 1]; ++s) {
        const NodeId q = parent.parent(fine.columns()[s]);
        if (q != kNoNode && slot_of[q] >= begin) slots[s] = slot_of[q];
      }
    }
  }
  return slots;
}

/// The weights of the coarse slots. The two directions of an edge are summed up from different
/// ends, whose roundings may differ; so the lower row's sum serves both.
std::vector<float> pool_weights(const Graph& fine, const ParentMap& parent, const Graph& coarse,
                                EdgePooling pooling) {
  std::vector<double> sums(coarse.num_edges(), 0.0);
  std::vector<EdgeId> counts(coarse.num_edges(), 0);
  const std::vector<EdgeId> slots = slots_above(fine, parent, coarse);
  for (EdgeId s = 0; s < fine.num_edges(); ++s) {
    const EdgeId to = slots[s];
    if (to == kNoSlot) continue;
    ++counts[to];
    sums[to] += fine.weights()[s];
  }
  std::vector<float> pooled(sums.size());
  for (NodeId p = 0; p < coarse.num_nodes(); ++p) {
    for (EdgeId s = coarse.offsets()[p]; s < coarse.offsets()[p + 1]; ++s) {
      const EdgeId from = coarse.columns()[s] < p ? coarse.reverse()[s] : s;
      const double divisor =
          pooling == EdgePooling::kMean ? static_cast<double>(counts[from]) : 1.0;
      pooled[s] = static_cast<float>(sums[from] / divisor);
    }
  }
  return pooled;
}

}  // namespace

Graph coarse_graph(const Graph& fine, const ParentMap& parent, CoarseGraphOptions options) {
  if (parent.num_children() != fine.num_nodes()) {
    throw InvalidHierarchy("coarse graph: the parent map covers " +
                           std::to_string(parent.num_children()) + " nodes, the graph has " +
                           std::to_string(fine.num_nodes()));
  }
  GraphParts parts;
  // Counted, then put in place: edges p -> q come up with p ascending, so every row fills in order.
  std::vector<EdgeId> cursor(parent.num_parents(), 0);
  for_coarse_edges(fine, parent, options.self_loops, [&](NodeId p, NodeId) { ++cursor[p]; });
  parts.offsets.reserve(cursor.size() + 1);
  for (EdgeId& count : cursor) {
    parts.offsets.push_back(parts.offsets.back() + count);
    count = parts.offsets.end()[-2];
  }
  parts.columns.resize(parts.offsets.back());
  for_coarse_edges(fine, parent, options.self_loops,
                   [&](NodeId p, NodeId q) { parts.columns[cursor[q]++] = p; });
  if (fine.has_weights()) {
    const Graph structure = Graph::adopt({parts.offsets, parts.columns, {}, {}, 0});
    parts.weights = pool_weights(fine, parent, structure, options.edges);
  }
  return Graph::adopt(std::move(parts));
}

ParentMap coarse_slots(const Graph& fine, const ParentMap& parent, const Graph& coarse) {
  if (std::max(fine.num_edges(), coarse.num_edges()) > std::numeric_limits<NodeId>::max())
    throw InvalidHierarchy("coarse slots: more edges than a node id can count");
  const std::vector<EdgeId> slots = slots_above(fine, parent, coarse);
  std::vector<NodeId> ids(slots.size());
  for (std::size_t s = 0; s < slots.size(); ++s)
    ids[s] = slots[s] == kNoSlot ? kNoNode : static_cast<NodeId>(slots[s]);
  return {std::move(ids), static_cast<NodeId>(coarse.num_edges())};
}

}  // namespace hgnet
