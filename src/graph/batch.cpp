#include "hgnet/graph/batch.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

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

/// The width that all graphs with edges share; without any such graph, the largest.
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

Batch::Batch(std::span<const Graph* const> graphs) {
  node_offsets_.assign(1, 0);
  edge_offsets_.assign(1, 0);
  for (const Graph* graph : graphs) {
    node_offsets_.push_back(node_offsets_.back() + graph->num_nodes());
    edge_offsets_.push_back(edge_offsets_.back() + graph->num_edges());
    if (node_offsets_.back() >= std::numeric_limits<NodeId>::max()) {
      throw InvalidGraph("batch: with graph " + std::to_string(node_offsets_.size() - 2) +
                         " it has " + std::to_string(node_offsets_.back()) +
                         " nodes, more than a node id holds");
    }
  }
  const bool weighted = std::any_of(graphs.begin(), graphs.end(),
                                    [](const Graph* graph) { return graph->has_weights(); });
  auto joined = std::make_shared<Graph::Storage>();
  GraphParts& parts = joined->parts;
  parts.edge_row_width = common_row_width(graphs);
  parts.offsets.reserve(node_offsets_.back() + 1);
  parts.columns.reserve(edge_offsets_.back());
  std::vector<NodeId> graph_of_node;
  graph_of_node.reserve(node_offsets_.back());
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    const Graph& graph = *graphs[g];
    for (const EdgeId offset : graph.offsets().subspan(1)) {
      parts.offsets.push_back(edge_offsets_[g] + offset);
    }
    const auto first_node = static_cast<NodeId>(node_offsets_[g]);
    for (const NodeId column : graph.columns()) parts.columns.push_back(first_node + column);
    if (weighted && graph.has_weights()) append(parts.weights, graph.weights());
    if (weighted && !graph.has_weights()) parts.weights.resize(edge_offsets_[g + 1], 1.0F);
    append(parts.edge_rows, graph.edge_rows());
    joined->num_self_loops += graph.num_self_loops();
    graph_of_node.resize(node_offsets_[g + 1], static_cast<NodeId>(g));
  }
  join_kept_structure(graphs, *joined);
  graph_ = Graph(std::move(joined));
  graph_of_node_ = ParentMap(std::move(graph_of_node), static_cast<NodeId>(graphs.size()));
}

void Batch::join_kept_structure(std::span<const Graph* const> graphs,
                                Graph::Storage& joined) const {
  const auto all_keep = [&](auto&& member) {
    return std::all_of(graphs.begin(), graphs.end(), [&](const Graph* graph) {
      return member(*graph->storage_).peek() != nullptr;
    });
  };
  if (all_keep([](const Graph::Storage& s) -> auto& { return s.reverse; })) {
    joined.reverse.get([&] {
      std::vector<EdgeId> reverse;
      reverse.reserve(edge_offsets_.back());
      for (std::size_t g = 0; g < graphs.size(); ++g) {
        for (const EdgeId slot : graphs[g]->reverse()) reverse.push_back(edge_offsets_[g] + slot);
      }
      return reverse;
    });
  }
  for (const SelfLoopFill fill : {SelfLoopFill::kOne, SelfLoopFill::kTwo, SelfLoopFill::kNone}) {
    const auto index = static_cast<std::size_t>(fill);
    if (!all_keep([&](const Graph::Storage& s) -> auto& { return s.gcn[index]; })) continue;
    joined.gcn[index].get([&] {
      GcnNormalisation gcn;
      gcn.values.reserve(edge_offsets_.back());
      gcn.diagonal.reserve(node_offsets_.back());
      for (const Graph* graph : graphs) {
        append(gcn.values, graph->gcn_normalisation(fill).values);
        append(gcn.diagonal, graph->gcn_normalisation(fill).diagonal);
      }
      return gcn;
    });
  }
}

}  // namespace hgnet
