#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hgnet/data/dataset.hpp"
#include "hgnet/graph/algorithms.hpp"

namespace hgnet {

/// How many samples have each label of one task, and how many have none.
struct LabelCounts {
  std::vector<std::int64_t> by_label;
  std::int64_t unlabelled = 0;
};

struct DatasetStatistics {
  std::int64_t graphs = 0;
  std::int64_t nodes = 0;
  /// Distinct undirected edges, including self-loops.
  std::int64_t edges = 0;
  std::int64_t self_loops = 0;
  std::int64_t max_degree = 0;
  std::int64_t isolated_nodes = 0;
  /// The largest diameter() of all graphs.
  Bounds diameter;
  /// One entry for classes; one per task, "no" then "yes", for multi-label; none for regression.
  std::vector<LabelCounts> labels;
  /// Node tasks with classes: of the edges between two labelled nodes, the share that join nodes of
  /// the same class. None if there is no such edge.
  std::optional<double> homophily;
};

DatasetStatistics statistics(const Dataset& dataset);

}  // namespace hgnet
