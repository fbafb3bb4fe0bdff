#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hgnet/data/dataset.hpp"

namespace hgnet {

/// One entry of 1 per row, in the given column.
SparseMatrix one_hot(std::span<const NodeId> columns, std::int64_t width);

/// The degree of each node of all graphs, without self-loops, one-hot up to the largest.
SparseMatrix one_hot_degrees(const std::vector<Graph>& graphs);

/// Class ids in the order of the labels' values, and the values as names.
struct Classes {
  std::vector<std::int32_t> ids;
  std::vector<std::string> names;
};
Classes classes_of(std::span<const std::int64_t> labels);

/// Listed edges whose weight or row is not the one that the graph keeps, which is the first.
enum class Compare { kWeightsAndRows, kRows };
std::int64_t repeated_otherwise(const Graph& graph, const EdgeList& list, Compare what);
/// What users are told about them.
std::string repeated_note(std::int64_t count, Compare what);

}  // namespace hgnet
