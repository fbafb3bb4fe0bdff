#pragma once

#include <cstdint>
#include <span>

#include "hgnet/graph/graph.hpp"
#include "hgnet/graph/parent_map.hpp"

namespace hgnet {

/// How many nodes of a graph gPool keeps: an absolute count (at most all nodes), or ceil(ratio *
/// n).
struct Keep {
  double ratio = 0.5;
  std::int64_t count = 0;  // used instead of the ratio if positive

  std::int64_t of(std::int64_t num_nodes) const;
};

/// Numbers up to 1 are a share of the nodes, larger ones a count.
Keep keep_of(double number);

/// Keeps the nodes with the highest scores in each graph of a batch; of equal scores, the smaller
/// id. Kept nodes become coarse nodes in their order; the others have no parent. NaN counts as the
/// lowest score.
template <class T>
ParentMap top_k(std::span<const T> scores, const ParentMap& graph_of_node, Keep keep);

inline constexpr EdgeId kMaxSquaredEdges = EdgeId{1} << 28;

/// (A + I)^2 without its diagonal, with its entries as edge weights. A holds the graph's weights,
/// or ones. g-U-Net squares a graph this way before it drops nodes. Hubs can make the square dense,
/// so this throws InvalidGraph as soon as more than `max_edges` directed edges would be needed,
/// before they are stored.
Graph squared_graph(const Graph& graph, EdgeId max_edges = kMaxSquaredEdges);

/// The same, restricted to the nodes that `kept` keeps, which become coarse nodes in their order.
/// Only their rows and columns are computed. Dense graphs of a batch (squaring makes graphs dense
/// within a few levels) use a dense product.
Graph squared_graph(const Graph& graph, const ParentMap& kept, EdgeId max_edges = kMaxSquaredEdges);

}  // namespace hgnet
