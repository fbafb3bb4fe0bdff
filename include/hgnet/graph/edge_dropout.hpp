#pragma once

#include "hgnet/core/random.hpp"
#include "hgnet/graph/graph.hpp"

namespace hgnet {

/// The graph without a share p of its undirected edges, each drawn independently. Both directions
/// are dropped together, with their weights and rows. 0 <= p < 1. O(nodes + edges).
Graph drop_edges(const Graph& graph, double p, Generator& generator);

}  // namespace hgnet
