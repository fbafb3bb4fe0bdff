#pragma once

#include <cstdint>
#include <vector>

#include "hgnet/data/dataset.hpp"

namespace hgnet {

/// What the cells of a column are.
struct ColumnStatistics : ColumnInfo {
  std::int64_t cells = 0;
  std::int64_t missing = 0;
  // Of numbers and booleans; 0 if all are missing:
  double low = 0;
  double high = 0;
  double mean = 0;
  double deviation = 0;
  std::vector<std::int64_t> counts = {};  // by category
};

/// Of the features as they were read; empty unless they are columns.
std::vector<ColumnStatistics> node_statistics(const Dataset& dataset);
/// The weights, called "weight", if there are any, and the columns of edges. An edge counts once.
std::vector<ColumnStatistics> edge_statistics(const Dataset& dataset);
/// Of numbers to predict: one for each task.
std::vector<ColumnStatistics> target_statistics(const Dataset& dataset);

}  // namespace hgnet
