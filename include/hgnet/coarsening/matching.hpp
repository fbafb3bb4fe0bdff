#pragma once

#include <cstdint>

#include "hgnet/coarsening/contraction.hpp"
#include "hgnet/graph/graph.hpp"

namespace hgnet {

/// Nodes in a seeded random order, each taken together with the neighbour not yet taken to which
/// its edge is heaviest (Karypis and Kumar); of equally heavy ones a random one, so without weights
/// this is random_matching. Maximal: no two nodes left alone are adjacent.
Contraction heavy_edge_matching(const Graph& graph, std::uint64_t seed);

/// Nodes in a seeded random order, each taken together with a random neighbour not yet taken.
/// Maximal.
Contraction random_matching(const Graph& graph, std::uint64_t seed);

}  // namespace hgnet
