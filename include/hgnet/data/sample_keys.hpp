#pragma once

#include <cstdint>
#include <vector>

#include "hgnet/data/dataset.hpp"

namespace hgnet {

/// By sample: a checksum of what it is, wherever it stands. Of a graph: its nodes' rows and how
/// they are joined, in any order. Of a node: its name or number, its row, and those of the nodes
/// within two steps. Targets do not count. Samples that cannot be told apart have the same key. O(nodes +
/// edges).
std::vector<std::uint64_t> sample_keys(const Dataset& dataset);

/// The samples of `dataset` that are among `known`, which are samples of `other`, by their keys. A
/// key that several samples of `other` have tells nothing. Ascending.
std::vector<std::int64_t> recognised_samples(const Dataset& dataset, const Dataset& other,
                                             const std::vector<std::int64_t>& known);

}  // namespace hgnet
