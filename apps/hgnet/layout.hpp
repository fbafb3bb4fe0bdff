// Positions at which to draw the nodes of a graph.

#pragma once

#include <vector>

#include "hgnet/graph/graph.hpp"

namespace hgnet::app {

struct Point {
  double x = 0;
  double y = 0;
};

using Layout = std::vector<Point>;

/// Column and row of each node of grid_graph(width, height).
Layout grid_layout(std::int64_t width, std::int64_t height);

/// A path that runs back and forth within a square.
Layout path_layout(std::int64_t num_nodes);

/// Force-directed, by Graphviz's sfdp. Throws Error if it is not installed.
Layout force_directed_layout(const Graph& graph);

}  // namespace hgnet::app
