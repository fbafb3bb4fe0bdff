#pragma once

#include "hgnet/graph/hierarchy.hpp"
#include "hgnet/nn/features.hpp"

namespace hgnet {

/// What a model is applied to: one graph, or several joined into a batch.
struct Input {
  Features x;               // one row per node of G_0
  Hierarchy hierarchy;      // G_0 and the levels of a static coarsening: see Model::prepare
  ParentMap graph_of_node;  // the graph of each node
  /// In evaluation mode without gradients: nodes and edges that a layer computes at a time, to save
  /// memory; 0: all. The result is the same.
  std::int64_t at_a_time = 0;

  /// One graph.
  static Input of(Hierarchy hierarchy, Features x);
};

}  // namespace hgnet
