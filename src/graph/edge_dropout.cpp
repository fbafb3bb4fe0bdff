#include "hgnet/graph/edge_dropout.hpp"

#include <string>
#include <utility>

#include "hgnet/core/error.hpp"

namespace hgnet {

Graph drop_edges(const Graph& graph, double p, Generator& generator) {
  if (!(p >= 0 && p < 1))
    throw InvalidGraph("edge dropout of " + std::to_string(p) + "; expected 0 <= p < 1");
  if (p == 0) return graph;
  const std::span<const EdgeId> reverse = graph.reverse();
  const std::int64_t width = graph.edge_rows().empty() ? 0 : graph.edge_row_width();
  std::vector<char> kept(graph.num_edges());
  GraphParts parts;
  parts.edge_row_width = graph.edge_row_width();
  parts.outside.assign(graph.outside().begin(), graph.outside().end());
  parts.offsets.reserve(graph.num_nodes() + 1);
  for (NodeId v = 0; v < graph.num_nodes(); ++v) {
    for (EdgeId s = graph.offsets()[v]; s < graph.offsets()[v + 1]; ++s) {
      // Drawn at the edge's first direction; the other direction follows.
      kept[s] = reverse[s] < s ? kept[reverse[s]] : static_cast<char>(generator.uniform() >= p);
      if (kept[s] == 0) continue;
      parts.columns.push_back(graph.columns()[s]);
      if (graph.has_weights()) parts.weights.push_back(graph.weights()[s]);
      const auto row = graph.edge_rows().subspan(s * width, width);
      parts.edge_rows.insert(parts.edge_rows.end(), row.begin(), row.end());
    }
    parts.offsets.push_back(static_cast<EdgeId>(parts.columns.size()));
  }
  return Graph::adopt(std::move(parts));
}

}  // namespace hgnet
