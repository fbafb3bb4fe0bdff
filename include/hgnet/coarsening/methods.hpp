#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hgnet/coarsening/build.hpp"

namespace hgnet {

/// Coarsenings that need no node features. kEdgePool contracts edges by scores drawn from the seed,
/// as an untrained model does.
enum class CoarseningMethod { kEdgePool, kLouvain, kHeavyEdge, kRandom };

/// "edgepool", "louvain", "heavy-edge", "random".
std::vector<std::string> coarsening_names();
std::string_view name(CoarseningMethod method);
/// Throws Error, listing the names, for another one.
CoarseningMethod coarsening_method(std::string_view name);

/// The method's step, for build_hierarchy. Levels draw from streams of their own, so that a
/// hierarchy of more levels starts with the same ones. heavy-edge adds up the multiplicities of
/// edges as weights on the way up.
CoarsenStep coarsen_step(CoarseningMethod method, std::uint64_t seed);

}  // namespace hgnet
