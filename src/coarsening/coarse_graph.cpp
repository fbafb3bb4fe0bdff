#include "hgnet/coarsening/coarse_graph.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "coarsening/sort_row.hpp"
#include "graph/row_parallel.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/graph/contraction.hpp"

namespace hgnet {
namespace {

/// The neighbours of the coarse nodes first .. last - 1, row by row, ascending. Their numbers go to
/// counts[p].
std::vector<NodeId> coarse_rows(const Graph& fine, const ParentMap& parent, SelfLoops self_loops,
                                NodeId first, NodeId last, std::span<EdgeId> counts) {
  const CsrView csr = fine.csr();
  const CsrView members = parent.members();
  const std::span<const NodeId> parent_of = parent.parents();
  const bool keep_loops = self_loops == SelfLoops::kKeep;
  // As many as there can be, so that the loop only writes.
  std::size_t most = 0;
  for (EdgeId m = members.offsets[first]; m < members.offsets[last]; ++m) {
    const NodeId v = members.columns[m];
    most += static_cast<std::size_t>(csr.offsets[v + 1] - csr.offsets[v]);
  }
  std::vector<NodeId> columns(most + 1);
  std::vector<NodeId> seen_by(members.num_rows() + 1, kNoNode);
  NodeId* const seen_by_parent = seen_by.data() + 1;  // kNoNode is -1
  std::size_t size = 0;
  for (NodeId p = first; p < last; ++p) {
    const std::size_t begin = size;
    seen_by_parent[kNoNode] = p;
    if (!keep_loops) seen_by_parent[p] = p;
    for (EdgeId m = members.offsets[p]; m < members.offsets[p + 1]; ++m) {
      const NodeId v = members.columns[m];
      for (EdgeId s = csr.offsets[v]; s < csr.offsets[v + 1]; ++s) {
        const NodeId q = parent_of[csr.columns[s]];
        columns[size] = q;
        size += seen_by_parent[q] == p ? 0 : 1;
        seen_by_parent[q] = p;
      }
    }
    counts[p] = static_cast<EdgeId>(size - begin);
    sort_row(std::span(columns).subspan(begin, size - begin));
  }
  columns.resize(size);
  constexpr std::size_t kLarge = std::size_t{1} << 20;
  if (size > kLarge) columns.shrink_to_fit();  // in a small graph the rest is not worth a copy
  return columns;
}

/// Offsets and columns of the coarse graph.
GraphParts coarse_structure(const Graph& fine, const ParentMap& parent, SelfLoops self_loops,
                            int threads) {
  constexpr std::int64_t kWorkPerSlot = 4;
  const CsrView members = parent.members();
  const int parts =
      useful_threads((members.num_slots() + fine.num_edges()) * kWorkPerSlot, threads);
  std::vector<EdgeId> counts(members.num_rows());
  std::vector<std::vector<NodeId>> columns(parts);
  run_parts(parts, [&](int part) {
    columns[part] =
        coarse_rows(fine, parent, self_loops, static_cast<NodeId>(first_row(members, part, parts)),
                    static_cast<NodeId>(first_row(members, part + 1, parts)), counts);
  });
  GraphParts result;
  result.offsets.resize(counts.size() + 1);
  std::inclusive_scan(counts.begin(), counts.end(), result.offsets.begin() + 1);
  if (parts == 1) {
    result.columns = std::move(columns.front());
    return result;
  }
  result.columns.resize(result.offsets.back());
  run_parts(parts, [&](int part) {
    std::ranges::copy(columns[part],
                      result.columns.begin() + result.offsets[first_row(members, part, parts)]);
  });
  return result;
}

/// Calls each(s, slot) for every fine slot s that falls into a coarse slot.
template <class Each>
void for_coarse_slots(const Graph& fine, const ParentMap& parent, const Graph& coarse,
                      const Each& each) {
  std::vector<EdgeId> slot_of(coarse.num_nodes(), kNoSlot);
  for (NodeId p = 0; p < coarse.num_nodes(); ++p) {
    const EdgeId begin = coarse.offsets()[p];
    for (EdgeId s = begin; s < coarse.offsets()[p + 1]; ++s) slot_of[coarse.columns()[s]] = s;
    for (const NodeId v : parent.members(p)) {
      for (EdgeId s = fine.offsets()[v]; s < fine.offsets()[v + 1]; ++s) {
        const NodeId q = parent.parent(fine.columns()[s]);
        if (q != kNoNode && slot_of[q] >= begin) each(s, slot_of[q]);
      }
    }
  }
}

/// The weights of the coarse slots. The two directions of an edge are summed up from different
/// ends, whose roundings may differ; so the lower row's sum serves both.
std::vector<float> pool_weights(const Graph& fine, const ParentMap& parent, const Graph& coarse,
                                EdgePooling pooling) {
  std::vector<double> sums(coarse.num_edges(), 0.0);
  std::vector<EdgeId> counts(pooling == EdgePooling::kMean ? coarse.num_edges() : 0, 0);
  for_coarse_slots(fine, parent, coarse, [&](EdgeId s, EdgeId to) {
    if (!counts.empty()) ++counts[to];
    sums[to] += fine.has_weights() ? fine.weights()[s] : 1.0;
  });
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

Graph coarse_graph(const Graph& fine, const ParentMap& parent, CoarseGraphOptions options,
                   int threads) {
  if (parent.num_children() != fine.num_nodes()) {
    throw InvalidHierarchy("coarse graph: the parent map covers " +
                           std::to_string(parent.num_children()) + " nodes, the graph has " +
                           std::to_string(fine.num_nodes()));
  }
  GraphParts parts = coarse_structure(fine, parent, options.self_loops, threads);
  if (fine.has_weights() || options.unit_weights) {
    const Graph structure = Graph::adopt({parts.offsets, parts.columns, {}, {}, 0});
    parts.weights = pool_weights(fine, parent, structure, options.edges);
  }
  return Graph::adopt(std::move(parts));
}

ParentMap coarse_slots(const Graph& fine, const ParentMap& parent, const Graph& coarse) {
  if (std::max(fine.num_edges(), coarse.num_edges()) > std::numeric_limits<NodeId>::max())
    throw InvalidHierarchy("coarse slots: more edges than a node id can count");
  std::vector<NodeId> ids(fine.num_edges(), kNoNode);
  for_coarse_slots(fine, parent, coarse,
                   [&](EdgeId s, EdgeId to) { ids[s] = static_cast<NodeId>(to); });
  return {std::move(ids), static_cast<NodeId>(coarse.num_edges())};
}

}  // namespace hgnet
