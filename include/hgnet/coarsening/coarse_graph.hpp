#pragma once

#include <array>
#include <utility>

#include "hgnet/core/enum_names.hpp"
#include "hgnet/graph/graph.hpp"
#include "hgnet/graph/parent_map.hpp"

namespace hgnet {

/// How the values of the fine edges between two coarse nodes become that of the coarse edge.
enum class EdgePooling { kMean, kSum };

template <>
struct EnumNames<EdgePooling> {
  static constexpr const char* what = "pooling of edges";
  static constexpr std::array<std::pair<EdgePooling, const char*>, 2> values{
      {{EdgePooling::kMean, "mean"}, {EdgePooling::kSum, "sum"}}};
};

struct CoarseGraphOptions {
  SelfLoops self_loops = SelfLoops::kRemove;  // of coarse nodes that contain an edge
  EdgePooling edges = EdgePooling::kMean;
  bool unit_weights = false;  // of edges that have none; else coarse ones have none either
};

/// The graph of coarse nodes, adjacent iff some of their members are. Nodes without a parent are
/// left out with their edges. Weights, where the fine graph has them, are pooled; under kSum an
/// edge inside a coarse node counts in both directions. Edge rows are not: they may be categories,
/// of which no average makes sense. What a model makes of them it can pool by coarse_slots. One
/// pass over the edges; only the neighbours of each coarse node are sorted. The same on any number
/// of threads. Throws InvalidHierarchy when the map is not of the graph's nodes.
Graph coarse_graph(const Graph& fine, const ParentMap& parent, CoarseGraphOptions options = {},
                   int threads = 1);

/// The slot of `coarse` that each slot of `fine` falls into; none for edges inside a coarse node
/// that has no self-loop, and for edges of nodes without a parent. `coarse` is the coarse_graph of
/// both.
ParentMap coarse_slots(const Graph& fine, const ParentMap& parent, const Graph& coarse);

}  // namespace hgnet
