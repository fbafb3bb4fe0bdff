#pragma once

#include <cstdint>

namespace hgnet {

/// A node of a graph, 0-based. 32 bits halve the memory that sparse kernels read per edge.
using NodeId = std::int32_t;

/// An index into a graph's directed edges; 64 bits, since a graph may have more than 2^31 of them.
using EdgeId = std::int64_t;

/// "No node": the parent of a node that a coarsening dropped.
inline constexpr NodeId kNoNode = -1;

}  // namespace hgnet
