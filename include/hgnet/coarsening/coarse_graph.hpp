#pragma once

#include <array>
#include <utility>

#include "hgnet/core/enum_names.hpp"
#include "hgnet/graph/graph.hpp"
#include "hgnet/graph/parent_map.hpp"

namespace hgnet {

/// How the weights and rows of the fine edges between two coarse nodes are combined into those of
/// the coarse edge.
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
};

/// The graph of coarse nodes; two are adjacent iff some of their members are. Nodes without a
/// parent are left out, along with their edges. Weights and edge rows, where the fine graph has
/// them, are pooled; under kSum an edge inside a coarse node counts in both directions. O(nodes +
/// edges): works by counting, without sorting or hashing. Throws InvalidHierarchy if the map is not
/// for the graph's nodes.
Graph coarse_graph(const Graph& fine, const ParentMap& parent, CoarseGraphOptions options = {});

}  // namespace hgnet
