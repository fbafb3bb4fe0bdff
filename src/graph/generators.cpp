#include "hgnet/graph/generators.hpp"

#include <limits>
#include <string>

#include "hgnet/core/error.hpp"

namespace hgnet {

Graph grid_graph(std::int64_t width, std::int64_t height) {
  if (width < 0 || height < 0 ||
      (width > 0 && height > std::numeric_limits<NodeId>::max() / width)) {
    throw InvalidGraph(
        "grid of " + std::to_string(width) + " x " + std::to_string(height) +
        " nodes: sides must not be negative, and node ids must be able to count the nodes");
  }
  if (width == 0 || height == 0) return {};
  EdgeList edges;
  const auto join = [&](std::int64_t u, std::int64_t v) {
    edges.source.push_back(u);
    edges.target.push_back(v);
  };
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      const std::int64_t v = y * width + x;
      if (x + 1 < width) join(v, v + 1);
      if (y + 1 < height) join(v, v + width);
    }
  }
  return Graph::from_edges(width * height, edges);
}

Graph path_graph(std::int64_t num_nodes) { return grid_graph(num_nodes, 1); }

Graph random_graph(std::int64_t num_nodes, std::int64_t num_edges, Generator& generator) {
  if (num_nodes < 0 || num_edges < 0 || (num_nodes == 0 && num_edges > 0)) {
    throw InvalidGraph("random graph: " + std::to_string(num_edges) + " edges between " +
                       std::to_string(num_nodes) + " nodes");
  }
  EdgeList edges;
  edges.source.reserve(num_edges);
  edges.target.reserve(num_edges);
  for (std::int64_t i = 0; i < num_edges; ++i) {
    edges.source.push_back(static_cast<std::int64_t>(generator.below(num_nodes)));
    edges.target.push_back(static_cast<std::int64_t>(generator.below(num_nodes)));
  }
  return Graph::from_edges(num_nodes, edges);
}

}  // namespace hgnet
