// Positions at which to draw the nodes of a graph.

#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "hgnet/graph/graph.hpp"

namespace hgnet::app {

struct Point {
  double x = 0;
  double y = 0;
};

using Layout = std::vector<Point>;

/// The smallest and largest coordinates; zeros for a layout without nodes.
std::pair<Point, Point> bounds_of(const Layout& layout);

/// Column and row of each node of grid_graph(width, height).
Layout grid_layout(std::int64_t width, std::int64_t height);

/// A path that runs back and forth within a square.
Layout path_layout(std::int64_t num_nodes);

/// Force-directed. Each component is laid out alone, its longest direction horizontal, and then
/// placed as close to the middle as the larger ones leave room, so that the largest fills the
/// picture. The same for the same seed.
Layout force_directed_layout(const Graph& graph, std::uint64_t seed = 0);

}  // namespace hgnet::app
