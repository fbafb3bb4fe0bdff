#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hgnet/graph/graph.hpp"
#include "hgnet/graph/parent_map.hpp"

namespace hgnet {

/// Several graphs as one: their disjoint union. Nodes and edges keep their order, so node v of
/// graph g is node node_offsets()[g] + v of the union. Nothing is recomputed: what each graph
/// already holds (edges, weights, rows, and kept structure that all of them have) is joined by
/// offset.
class Batch {
 public:
  /// A batch of no graphs.
  Batch() : Batch(std::span<const Graph>{}) {}

  /// Unweighted graphs among weighted ones count as weight 1. Throws InvalidGraph, naming the
  /// graph, when edge rows differ in width or the nodes exceed what NodeId holds.
  explicit Batch(std::span<const Graph> graphs);

  explicit Batch(std::span<const Graph* const> graphs);

  /// `count` copies of one graph: samples that share a topology.
  static Batch repeat(const Graph& graph, std::int64_t count);

  const Graph& graph() const { return graph_; }
  std::int64_t num_graphs() const { return static_cast<std::int64_t>(node_offsets_.size()) - 1; }
  /// One more than there are graphs.
  std::span<const std::int64_t> node_offsets() const { return node_offsets_; }
  std::span<const std::int64_t> edge_offsets() const { return edge_offsets_; }
  /// The graph of each node, and the nodes of each graph.
  const ParentMap& graph_of_node() const { return graph_of_node_; }

 private:
  void join_kept_structure(std::span<const Graph* const> graphs, Graph::Storage& joined) const;

  Graph graph_;
  std::vector<std::int64_t> node_offsets_;
  std::vector<std::int64_t> edge_offsets_;
  ParentMap graph_of_node_;
};

}  // namespace hgnet
