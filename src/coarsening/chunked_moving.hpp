#pragma once

#include "coarsening/local_moving.hpp"

namespace hgnet {

/// local_moves() for a large graph, in chunks.
std::vector<NodeId> chunked_moves(const Weighted& graph, std::span<const NodeId> start, Ties ties,
                                  Generator& generator, int threads);

}  // namespace hgnet
