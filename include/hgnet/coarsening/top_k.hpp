#pragma once

#include <cstdint>
#include <span>

#include "hgnet/graph/graph.hpp"
#include "hgnet/graph/parent_map.hpp"

namespace hgnet {

/// How many nodes of a graph gPool keeps: an absolute count (at most all), or ceil(ratio * n).
struct Keep {
  double ratio = 0.5;
  std::int64_t count = 0;  // takes the place of the ratio when positive

  std::int64_t of(std::int64_t num_nodes) const;
};

/// Up to 1 a share of the nodes, above a count.
Keep keep_of(double number);

/// The nodes with the highest scores in each graph of a batch, of equal ones the smaller id; kept
/// nodes become coarse nodes in their order, the others have no parent. NaN counts as lowest.
template <class T>
ParentMap top_k(std::span<const T> scores, const ParentMap& graph_of_node, Keep keep);

inline constexpr EdgeId kMaxSquaredEdges = EdgeId{1} << 28;

/// (A + I)^2 without its diagonal, its entries as edge weights; A has the graph's weights, or ones.
/// What g-U-Net does to a graph before it drops nodes. Throws InvalidGraph as soon as more than
/// `max_edges` directed edges would be needed, before they are stored: hubs can make the square
/// dense.
Graph squared_graph(const Graph& graph, EdgeId max_edges = kMaxSquaredEdges);

/// The same restricted to the nodes that `kept` keeps, which become coarse nodes in their order: only
/// their rows and columns are computed. Graphs of a batch that are dense, as squaring makes them within
/// a few levels, by a dense product.
Graph squared_graph(const Graph& graph, const ParentMap& kept, EdgeId max_edges = kMaxSquaredEdges);

}  // namespace hgnet
