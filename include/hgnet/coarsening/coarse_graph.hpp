#pragma once

#include <array>
#include <utility>

#include "hgnet/core/enum_names.hpp"
#include "hgnet/graph/graph.hpp"
#include "hgnet/graph/parent_map.hpp"

namespace hgnet {

/// How the weights and rows of the fine edges between two coarse nodes become those of the coarse
/// edge.
enum class EdgePooling { kMean, kSum };

template <>
struct EnumNames<EdgePooling> {
  static constexpr const char* what = "pooling of edges";
  static constexpr std::array<std::pair<EdgePooling, const char*>, 2> values{
      {{EdgePooling::kMean, "mean"}, {EdgePooling::kSum, "sum"}}};
};

struct CoarseGraphOptions {
  SelfLoops self_loops = SelfLoops::kRemove;  // of coarse nodes with an edge inside
  EdgePooling edges = EdgePooling::kMean;
};

/// The graph of coarse nodes, adjacent iff some of their members are. Nodes without a parent are
/// left out with their edges. Weights and edge rows, where the fine graph has them, are pooled;
/// under kSum an edge inside a coarse node counts in both directions. By counting, O(nodes +
/// edges): no sort, no hashing. Throws InvalidHierarchy when the map is not of the graph's nodes.
Graph coarse_graph(const Graph& fine, const ParentMap& parent, CoarseGraphOptions options = {});

}  // namespace hgnet
