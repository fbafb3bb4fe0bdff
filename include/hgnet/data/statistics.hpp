#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hgnet/data/dataset.hpp"
#include "hgnet/graph/algorithms.hpp"

namespace hgnet {

/// How many samples carry each label of one task, and how many carry none.
struct LabelCounts {
  std::vector<std::int64_t> by_label;
  std::int64_t unlabelled = 0;
};

struct DatasetStatistics {
  std::int64_t graphs = 0;
  std::int64_t nodes = 0;
  /// Distinct undirected edges, self-loops among them.
  std::int64_t edges = 0;
  std::int64_t self_loops = 0;
  std::int64_t max_degree = 0;
  std::int64_t isolated_nodes = 0;
  /// The largest of all graphs; see there.
  Bounds diameter;
  /// One entry for classes; one per task, "no" then "yes", for multi-label; none for regression.
  std::vector<LabelCounts> labels;
  /// Node tasks with classes: the share of edges between two labelled nodes that join equal ones.
  /// None when there is no such edge.
  std::optional<double> homophily;
};

DatasetStatistics statistics(const Dataset& dataset);

}  // namespace hgnet
