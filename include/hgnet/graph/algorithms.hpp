#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hgnet/graph/graph.hpp"
#include "hgnet/graph/parent_map.hpp"

namespace hgnet {

/// The component of each node, numbered by smallest member. O(nodes + edges).
ParentMap connected_components(const Graph& graph);

inline constexpr std::int32_t kUnreached = -1;

/// The number of edges on a shortest path from the nearest of `sources` to each node; kUnreached if
/// there is no path. Throws InvalidGraph for a source that is not a node. O(nodes + edges).
std::vector<std::int32_t> breadth_first_distances(const Graph& graph,
                                                  std::span<const NodeId> sources);

/// The same from one source.
std::vector<std::int32_t> breadth_first_distances(const Graph& graph, NodeId source);

/// Lower and upper bound of an edge count; exact if they are equal.
struct Bounds {
  std::int32_t low = 0;
  std::int32_t high = 0;

  bool exact() const { return low == high; }
};

inline constexpr std::int64_t kMaxVisits = std::int64_t{1} << 28;

/// The longest shortest path between two nodes of the same group. Groups lie in different
/// components of the graph; nodes without a group may be on the way. By breadth-first searches from
/// the nodes whose distances tell most: most graphs need only a few. The searches stop once they
/// have visited `max_visits` edges and nodes, but there are at least two; the result is then only
/// bounds.
Bounds longest_shortest_path(const Graph& graph, const ParentMap& groups,
                             std::int64_t max_visits = kMaxVisits);

/// The same inside the largest component (the first, if several are equally large).
Bounds diameter(const Graph& graph, std::int64_t max_visits = kMaxVisits);

}  // namespace hgnet
