#include "hgnet/coarsening/coarse_graph.hpp"

#include <string>
#include <utility>

#include "hgnet/core/error.hpp"

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

/// Pools fine values, `width` numbers per slot, into those of the coarse slots. The two directions
/// of an edge are summed from different ends and may round differently, so the lower row's sum is
/// used for both.
std::vector<float> pool_values(const Graph& fine, const ParentMap& parent, const Graph& coarse,
                               std::span<const float> values, std::int64_t width,
                               EdgePooling pooling) {
  std::vector<double> sums(coarse.num_edges() * width, 0.0);
  std::vector<EdgeId> counts(coarse.num_edges(), 0);
  std::vector<EdgeId> slot_of(coarse.num_nodes(), -1);
  for (NodeId p = 0; p < coarse.num_nodes(); ++p) {
    for (EdgeId s = coarse.offsets()[p]; s < coarse.offsets()[p + 1]; ++s)
      slot_of[coarse.columns()[s]] = s;
    for (const NodeId v : parent.members(p)) {
      for (EdgeId s = fine.offsets()[v]; s < fine.offsets()[v + 1]; ++s) {
        const NodeId q = parent.parent(fine.columns()[s]);
        if (q == kNoNode || q < p || slot_of[q] < coarse.offsets()[p]) continue;
        ++counts[slot_of[q]];
        for (std::int64_t c = 0; c < width; ++c)
          sums[slot_of[q] * width + c] += values[s * width + c];
      }
    }
  }
  std::vector<float> pooled(sums.size());
  for (NodeId p = 0; p < coarse.num_nodes(); ++p) {
    for (EdgeId s = coarse.offsets()[p]; s < coarse.offsets()[p + 1]; ++s) {
      const EdgeId from = coarse.columns()[s] < p ? coarse.reverse()[s] : s;
      const double divisor =
          pooling == EdgePooling::kMean ? static_cast<double>(counts[from]) : 1.0;
      for (std::int64_t c = 0; c < width; ++c) {
        pooled[s * width + c] = static_cast<float>(sums[from * width + c] / divisor);
      }
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
  parts.edge_row_width = fine.edge_row_width();
  // Count, then place: edges p -> q arrive with p ascending, so every row fills in order.
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
  if (!fine.has_weights() && fine.edge_rows().empty()) return Graph::adopt(std::move(parts));

  const Graph structure = Graph::adopt({parts.offsets, parts.columns, {}, {}, 0});
  if (fine.has_weights()) {
    parts.weights = pool_values(fine, parent, structure, fine.weights(), 1, options.edges);
  }
  if (!fine.edge_rows().empty()) {
    parts.edge_rows = pool_values(fine, parent, structure, fine.edge_rows(), fine.edge_row_width(),
                                  options.edges);
  }
  return Graph::adopt(std::move(parts));
}

}  // namespace hgnet
