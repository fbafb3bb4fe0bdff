#include "hgnet/graph/batch.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "graph/append.hpp"
#include "graph/storage.hpp"
#include "hgnet/core/error.hpp"

namespace hgnet {
namespace {

std::vector<const Graph*> pointers(std::span<const Graph> graphs) {
  std::vector<const Graph*> result;
  result.reserve(graphs.size());
  for (const Graph& graph : graphs) result.push_back(&graph);
  return result;
}

void append(std::vector<float>& to, std::span<const float> from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// The width that all graphs with edges share; if no graph has edges, the largest.
std::int64_t common_row_width(std::span<const Graph* const> graphs) {
  std::int64_t width = -1;
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    if (graphs[g]->num_edges() == 0) continue;
    const std::int64_t here = graphs[g]->edge_row_width();
    if (width >= 0 && here != width) {
      throw InvalidGraph("batch: graph " + std::to_string(g) + " has edge rows of width " +
                         std::to_string(here) + ", the graphs before it of width " +
                         std::to_string(width));
    }
    width = here;
  }
  if (width >= 0) return width;
  for (const Graph* graph : graphs) width = std::max(width, graph->edge_row_width());
  return std::max<std::int64_t>(width, 0);
}

}  // namespace

Batch::Batch(std::span<const Graph> graphs)
    : Batch(std::span<const Graph* const>(pointers(graphs))) {}

Batch Batch::repeat(const Graph& graph, std::int64_t count) {
  if (count < 0) throw InvalidGraph("batch: " + std::to_string(count) + " copies of a graph");
  return Batch(std::span<const Graph* const>(std::vector<const Graph*>(count, &graph)));
}

Batch::Batch(std::span<const Graph* const> graphs)
    : offsets_(offsets_of(graphs)),
      graph_(join(graphs, offsets_)),
      graph_of_node_(ParentMap::from_offsets(offsets_.nodes)) {}

Graph Batch::joined(std::span<const Graph* const> graphs) {
  return join(graphs, offsets_of(graphs));
}

Batch::Offsets Batch::offsets_of(std::span<const Graph* const> graphs) {
  Offsets offsets;
  offsets.nodes.reserve(graphs.size() + 1);
  offsets.edges.reserve(graphs.size() + 1);
  for (const Graph* graph : graphs) {
    offsets.nodes.push_back(offsets.nodes.back() + graph->num_nodes());
    offsets.edges.push_back(offsets.edges.back() + graph->num_edges());
    if (offsets.nodes.back() >= std::numeric_limits<NodeId>::max()) {
      throw InvalidGraph("batch: with graph " + std::to_string(offsets.nodes.size() - 2) +
                         " it has " + std::to_string(offsets.nodes.back()) +
                         " nodes, more than a node id can hold");
    }
  }
  return offsets;
}

Graph Batch::join(std::span<const Graph* const> graphs, const Offsets& offsets) {
  const bool weighted = std::any_of(graphs.begin(), graphs.end(),
                                    [](const Graph* graph) { return graph->has_weights(); });
  const bool cut = std::any_of(graphs.begin(), graphs.end(),
                               [](const Graph* graph) { return !graph->outside().empty(); });
  EdgeId num_self_loops = 0;
  GraphParts parts;
  parts.edge_row_width = common_row_width(graphs);
  parts.offsets.reserve(offsets.nodes.back() + 1);
  parts.columns.reserve(offsets.edges.back());
  if (weighted) parts.weights.reserve(offsets.edges.back());
  parts.edge_rows.reserve(offsets.edges.back() * parts.edge_row_width);
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    const Graph& graph = *graphs[g];
    append_mapped(parts.offsets, graph.offsets().subspan(1),
                  [first = offsets.edges[g]](EdgeId offset) { return first + offset; });
    append_mapped(parts.columns, graph.columns(),
                  [first = static_cast<NodeId>(offsets.nodes[g])](NodeId v) { return first + v; });
    if (weighted && graph.has_weights()) append(parts.weights, graph.weights());
    if (weighted && !graph.has_weights()) parts.weights.resize(offsets.edges[g + 1], 1.0F);
    append(parts.edge_rows, graph.edge_rows());
    append(parts.outside, graph.outside());
    if (cut) parts.outside.resize(offsets.nodes[g + 1], 0.0F);
    num_self_loops += graph.num_self_loops();
  }
  auto joined = std::make_shared<Graph::Storage>(std::move(parts), num_self_loops);
  join_kept_structure(graphs, offsets, *joined);
  return Graph(std::move(joined));
}

void Batch::join_kept_structure(std::span<const Graph* const> graphs, const Offsets& offsets,
                                Graph::Storage& joined) {
  const auto all_keep = [&](auto&& member) {
    return std::all_of(graphs.begin(), graphs.end(), [&](const Graph* graph) {
      return member(*graph->storage_).peek() != nullptr;
    });
  };
  if (all_keep([](const Graph::Storage& s) -> auto& { return s.reverse; })) {
    joined.reverse.get([&] {
      std::vector<EdgeId> reverse;
      reverse.reserve(offsets.edges.back());
      for (std::size_t g = 0; g < graphs.size(); ++g) {
        append_mapped(reverse, graphs[g]->reverse(),
                      [first = offsets.edges[g]](EdgeId slot) { return first + slot; });
      }
      return reverse;
    });
  }
  for (const SelfLoopFill fill : {SelfLoopFill::kOne, SelfLoopFill::kTwo, SelfLoopFill::kNone}) {
    const auto index = static_cast<std::size_t>(fill);
    if (!all_keep([&](const Graph::Storage& s) -> auto& { return s.gcn[index]; })) continue;
    joined.gcn[index].get([&] {
      GcnNormalisation gcn;
      gcn.values.reserve(offsets.edges.back());
      gcn.diagonal.reserve(offsets.nodes.back());
      for (const Graph* graph : graphs) {
        append(gcn.values, graph->gcn_normalisation(fill).values);
        append(gcn.diagonal, graph->gcn_normalisation(fill).diagonal);
      }
      return gcn;
    });
  }
}

}  // namespace hgnet
