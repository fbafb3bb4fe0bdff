#pragma once

#include <cstdint>
#include <vector>

#include "hgnet/core/random.hpp"
#include "hgnet/graph/subgraph.hpp"
#include "hgnet/models/input.hpp"

namespace hgnet {

/// Communities of at most `most` nodes, for batches of a node task: the largest ones in the levels
/// of Louvain's method that are not larger. The first of these levels are those of `prepared`, if
/// it is made by that method. A community of the lowest level that is too large is split by node
/// number.
ParentMap batch_communities(const Hierarchy& prepared, bool by_louvain, std::int64_t most,
                            int threads);

/// Nodes of `batches` batches, ascending: whole communities, dealt out at random. Every node is in
/// one batch, and all batches have about the same size.
std::vector<std::vector<NodeId>> plan_communities(const ParentMap& communities,
                                                  std::int64_t batches, Generator& shuffle);

/// The samples among a batch's nodes, and the rows that they have in it. Both lists ascend.
struct BatchRows {
  std::vector<std::int64_t> rows;
  std::vector<std::int64_t> samples;
};
BatchRows rows_among(const std::vector<NodeId>& nodes, std::span<const std::int64_t> samples);

/// What the model is applied to in a batch: these nodes, on every level the parents of those below,
/// and the edges among them. `cutter` is of the hierarchy of `whole`.
Input batch_input(const Input& whole, HierarchyCutter& cutter, const std::vector<NodeId>& nodes);

}  // namespace hgnet
