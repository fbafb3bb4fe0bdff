#include "hgnet/coarsening/measures.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "hgnet/core/random.hpp"
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

/// Distance from `source` to the farthest of the first `count` nodes that it reaches.
std::int32_t eccentricity(const Graph& graph, NodeId source, NodeId count) {
  const auto distances = breadth_first_distances(graph, source);
  return *std::max_element(distances.begin(), distances.begin() + count);
}

/// One source per component, the largest components first, as far as `count` allows; then random
/// ones.
std::vector<NodeId> draw_sources(const Graph& graph, int count, Generator& generator) {
  const ParentMap components = connected_components(graph);
  std::vector<NodeId> by_size(components.num_parents());
  for (NodeId c = 0; c < components.num_parents(); ++c) by_size[c] = c;
  std::stable_sort(by_size.begin(), by_size.end(), [&](NodeId a, NodeId b) {
    return components.members(a).size() > components.members(b).size();
  });
  std::vector<NodeId> sources;
  for (const NodeId c : by_size) {
    if (static_cast<int>(sources.size()) >= std::max(1, count / 2)) break;
    const auto members = components.members(c);
    sources.push_back(*std::max_element(members.begin(), members.end(), [&](NodeId a, NodeId b) {
      return graph.degree(a) < graph.degree(b);
    }));
  }
  while (static_cast<int>(sources.size()) < count) {
    sources.push_back(static_cast<NodeId>(generator.below(graph.num_nodes())));
  }
  return sources;
}

/// Longest shortest path between connected nodes among the first `count` of `graph`. The sources
/// are among them, and `component` says which of them can be compared.
Bounds longest_shortest_path(const Graph& graph, NodeId count, std::span<const NodeId> sources,
                             bool all, const ParentMap& component) {
  Bounds bounds;
  std::vector<std::int32_t> high(component.num_parents(), std::numeric_limits<std::int32_t>::max());
  for (const NodeId source : sources) {
    const std::int32_t far = eccentricity(graph, source, count);
    bounds.low = std::max(bounds.low, far);
    std::int32_t& here = high[component.parent(source)];
    here = std::min(here, 2 * far);
  }
  bounds.high = bounds.low;
  if (all) return bounds;
  for (const std::int32_t here : high) {
    if (here != std::numeric_limits<std::int32_t>::max()) bounds.high = std::max(bounds.high, here);
  }
  return bounds;
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

HierarchyMeasures measure(const Hierarchy& hierarchy, const MeasureOptions& options) {
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
  const NodeId n = input.num_nodes();
  if (n == 0) return result;
  const bool all = n <= options.exact_up_to;
  std::vector<NodeId> sources;
  if (all) {
    for (NodeId v = 0; v < n; ++v) sources.push_back(v);
  } else {
    Generator generator(options.seed);
    sources = draw_sources(input, options.sources, generator);
  }
  const ParentMap component = connected_components(input);
  result.diameter = longest_shortest_path(input, n, sources, all, component);
  result.longest_path = longest_shortest_path(joined_levels(hierarchy), n, sources, all, component);
  return result;
}

}  // namespace hgnet
