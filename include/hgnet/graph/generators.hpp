#pragma once

#include <cstdint>

#include "hgnet/core/random.hpp"
#include "hgnet/graph/graph.hpp"

namespace hgnet {

/// A grid in rows of `width` nodes: node y * width + x is at column x of row y and is joined to the
/// next node in its row and in its column. Throws InvalidGraph for a negative side or too many
/// nodes.
Graph grid_graph(std::int64_t width, std::int64_t height);

/// 0 - 1 - ... - (num_nodes - 1).
Graph path_graph(std::int64_t num_nodes);

/// `num_edges` undirected edges between random nodes. Repeated edges and self-loops are dropped, so
/// the graph has somewhat fewer.
Graph random_graph(std::int64_t num_nodes, std::int64_t num_edges, Generator& generator);

}  // namespace hgnet
