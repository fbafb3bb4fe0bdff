// Where to draw the nodes of a graph.

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

/// A path wound back and forth in a square.
Layout path_layout(std::int64_t num_nodes);

/// Force-directed, by Graphviz' sfdp, which has to be installed; throws Error saying so if it is
/// not.
Layout force_directed_layout(const Graph& graph);

}  // namespace hgnet::app
