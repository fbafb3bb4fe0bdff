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

}  // namespace hgnet
