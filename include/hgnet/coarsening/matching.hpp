#pragma once

#include <cstdint>

#include "hgnet/coarsening/contraction.hpp"
#include "hgnet/graph/graph.hpp"

namespace hgnet {

/// Visits nodes in a seeded random order and matches each with the free neighbour to which its edge
/// is heaviest (Karypis and Kumar). Of equally heavy edges it takes a random one, so without
/// weights this is random_matching. Maximal: no two unmatched nodes are adjacent.
Contraction heavy_edge_matching(const Graph& graph, std::uint64_t seed);

/// Visits nodes in a seeded random order and matches each with a random free neighbour. Maximal.
Contraction random_matching(const Graph& graph, std::uint64_t seed);

}  // namespace hgnet
