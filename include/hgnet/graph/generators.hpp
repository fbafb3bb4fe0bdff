#pragma once

#include <cstdint>

#include "hgnet/core/random.hpp"
#include "hgnet/graph/graph.hpp"

namespace hgnet {

/// Nodes in rows of `width`, node y * width + x at column x of row y; each joined to the next in
/// its row and in its column. Throws InvalidGraph for a negative side or too many nodes.
Graph grid_graph(std::int64_t width, std::int64_t height);

/// 0 - 1 - ... - (num_nodes - 1).
Graph path_graph(std::int64_t num_nodes);

/// `num_edges` undirected edges between ends drawn at random; repeated ones and self-loops are
/// dropped, so the graph has somewhat fewer.
Graph random_graph(std::int64_t num_nodes, std::int64_t num_edges, Generator& generator);

}  // namespace hgnet
