#pragma once

#include "hgnet/graph/hierarchy.hpp"
#include "hgnet/nn/features.hpp"

namespace hgnet {

/// What a model is applied to: one graph, or a batch of several joined into one.
struct Input {
  Features x;           // one row per node of G_0
  Hierarchy hierarchy;  // G_0, and above it the levels of a static coarsening: see Model::prepare
  ParentMap graph_of_node;  // the graph of each node

  /// One graph.
  static Input of(Hierarchy hierarchy, Features x);
};

}  // namespace hgnet
