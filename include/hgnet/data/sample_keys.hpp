#pragma once

#include <cstdint>
#include <vector>

#include "hgnet/data/dataset.hpp"

namespace hgnet {

/// One checksum per sample, which does not depend on its position. Of a graph: its nodes' rows and
/// how they are joined, in any order. Of a node: its name or number, its row, and those of the
/// nodes within two steps. Targets do not count. Samples that cannot be told apart have the same
/// key. O(nodes + edges).
std::vector<std::uint64_t> sample_keys(const Dataset& dataset);

/// The samples of `dataset` that are in the parts of a split of `other`, by their keys; nodes whose
/// row no other node has, by name and row alone, and by the row where nearly all have one of their
/// own. Of several samples of `other` with the same key,
/// all must be in one part, or in train and val, which then count as train.
Split recognised(const Dataset& dataset, const Dataset& other, const Split& split);

}  // namespace hgnet
