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

/// Edges on a shortest path from the nearest of `sources` to each node, kUnreached where there is
/// none. Throws InvalidGraph for a source that is not a node. O(nodes + edges).
std::vector<std::int32_t> breadth_first_distances(const Graph& graph,
                                                  std::span<const NodeId> sources);

/// The same from one source.
std::vector<std::int32_t> breadth_first_distances(const Graph& graph, NodeId source);

/// An edge count between two ends that are known to enclose the true one; equal ends: exact.
struct Bounds {
  std::int32_t low = 0;
  std::int32_t high = 0;

  bool exact() const { return low == high; }
};

/// The longest shortest path inside the largest component (the first of equals), by breadth-first
/// searches from nodes whose distances say most. Few are needed on most graphs; there are at most
/// as many as go through `max_visits` edges and nodes, but two at least, and then there are bounds
/// only.
Bounds diameter(const Graph& graph, std::int64_t max_visits = std::int64_t{1} << 28);

}  // namespace hgnet
