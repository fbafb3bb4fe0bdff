#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hgnet/graph/graph.hpp"
#include "hgnet/graph/parent_map.hpp"

namespace hgnet {

/// Several graphs as one: their disjoint union. Nodes and edges keep their order, so node v of
/// graph g is node node_offsets()[g] + v of the union. Nothing is recomputed: what each graph
/// already holds (edges, weights, rows, and cached structure if all graphs have it) is joined by
/// offset.
class Batch {
 public:
  /// A batch of no graphs.
  Batch() : Batch(std::span<const Graph>{}) {}

  /// Unweighted graphs among weighted ones get weight 1. Throws InvalidGraph, naming the graph, if
  /// edge rows differ in width or there are more nodes than NodeId can hold.
  explicit Batch(std::span<const Graph> graphs);

  explicit Batch(std::span<const Graph* const> graphs);

  /// `count` copies of one graph: samples that share a topology.
  static Batch repeat(const Graph& graph, std::int64_t count);

  /// Only the union, for callers that do not need to know which graph a node is in.
  static Graph joined(std::span<const Graph* const> graphs);

  const Graph& graph() const { return graph_; }
  std::int64_t num_graphs() const { return static_cast<std::int64_t>(offsets_.nodes.size()) - 1; }
  /// One more entry than there are graphs.
  std::span<const std::int64_t> node_offsets() const { return offsets_.nodes; }
  std::span<const std::int64_t> edge_offsets() const { return offsets_.edges; }
  /// The graph of each node, and the nodes of each graph.
  const ParentMap& graph_of_node() const { return graph_of_node_; }

 private:
  /// Where each graph begins in the union; one more entry than there are graphs.
  struct Offsets {
    std::vector<std::int64_t> nodes{0};
    std::vector<std::int64_t> edges{0};
  };
  static Offsets offsets_of(std::span<const Graph* const> graphs);
  static Graph join(std::span<const Graph* const> graphs, const Offsets& offsets);
  static void join_kept_structure(std::span<const Graph* const> graphs, const Offsets& offsets,
                                  Graph::Storage& joined);

  Offsets offsets_;
  Graph graph_;
  ParentMap graph_of_node_;
};

}  // namespace hgnet
