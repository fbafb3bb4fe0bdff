#include "hgnet/coarsening/measures.hpp"

#include <algorithm>
#include <utility>

#include "hgnet/graph/algorithms.hpp"

namespace hgnet {
namespace {

/// All levels as one graph: G_0's nodes first, edges inside levels and to parents.
Graph joined_levels(const Hierarchy& hierarchy) {
  EdgeList edges;
  std::int64_t first = 0;
  for (int l = 0; l <= hierarchy.num_levels(); ++l) {
    const Graph& graph = hierarchy.graph(l);
    const std::int64_t above = first + graph.num_nodes();
    for (NodeId v = 0; v < graph.num_nodes(); ++v) {
      for (const NodeId u : graph.neighbours(v)) {
        if (u > v) continue;
        edges.source.push_back(first + v);
        edges.target.push_back(first + u);
      }
      if (l < hierarchy.num_levels() && hierarchy.parent(l).parent(v) != kNoNode) {
        edges.source.push_back(first + v);
        edges.target.push_back(above + hierarchy.parent(l).parent(v));
      }
    }
    first = above;
  }
  return Graph::from_edges(first, edges);
}

/// The components of the graph, of its first `count` nodes only.
ParentMap components_among(const Graph& graph, NodeId count) {
  const ParentMap all = connected_components(graph);
  std::vector<NodeId> component(all.parents().begin(), all.parents().end());
  std::fill(component.begin() + count, component.end(), kNoNode);
  return {std::move(component), all.num_parents()};
}

double matched_fraction(const ParentMap& parent) {
  if (parent.num_children() == 0) return 0;
  std::int64_t matched = 0;
  for (NodeId p = 0; p < parent.num_parents(); ++p) {
    const auto size = static_cast<std::int64_t>(parent.members(p).size());
    if (size > 1) matched += size;
  }
  return static_cast<double>(matched) / parent.num_children();
}

}  // namespace

HierarchyMeasures measure(const Hierarchy& hierarchy, std::int64_t max_visits) {
  HierarchyMeasures result;
  for (int l = 0; l <= hierarchy.num_levels(); ++l) {
    const Graph& graph = hierarchy.graph(l);
    LevelMeasures level{graph.num_nodes(), graph.num_undirected_edges(), 0};
    if (l < hierarchy.num_levels()) {
      level.matched_fraction = matched_fraction(hierarchy.parent(l));
      result.parent_edges += hierarchy.parent(l).members().num_slots();
    }
    result.total_nodes += level.nodes;
    result.total_edges += level.edges;
    result.levels.push_back(level);
  }
  const Graph& input = hierarchy.graph(0);
  result.diameter = longest_shortest_path(input, connected_components(input), max_visits);
  const Graph joined = joined_levels(hierarchy);
  result.longest_path =
      longest_shortest_path(joined, components_among(joined, input.num_nodes()), max_visits);
  return result;
}

}  // namespace hgnet
