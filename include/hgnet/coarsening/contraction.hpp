#pragma once

#include <memory>
#include <span>
#include <vector>

#include "hgnet/graph/contraction.hpp"
#include "hgnet/graph/graph.hpp"

namespace hgnet {

/// The order of a graph's nodes, which decides between edges of equal score. Either by id or, for
/// the coarse nodes of a contraction, in the order in which they were contracted, unmerged nodes
/// last; each group keeps the order of its members. The original EdgePool numbers coarse nodes this
/// way; this library numbers them by smallest member. Above the first level, twins (nodes with
/// equal neighbours and hence equal rows) can tie, and only this order then reproduces the
/// original's choices. Nothing is sorted here: two nodes are compared only to break a tie.
/// Immutable, cheap to copy.
class NodeOrder {
 public:
  /// By id.
  NodeOrder() = default;
  /// The order of the coarse nodes of `contraction`, which contracts `fine`, whose nodes are
  /// ordered by `below`. `scores` holds the score of the contracted edge of each coarse node.
  NodeOrder(Graph fine, const Contraction& contraction, std::vector<double> scores,
            NodeOrder below);

  bool by_id() const { return storage_ == nullptr; }
  bool before(NodeId a, NodeId b) const;
  /// Whether edge a has the larger id than edge b: the later source or, if the sources are equal,
  /// the later target.
  bool edge_after(NodeId a_source, NodeId a_target, NodeId b_source, NodeId b_target) const;

 private:
  struct Storage;
  std::shared_ptr<const Storage> storage_;
};

/// EdgePool's choice: visit the directed edges from the highest score to the lowest and contract u
/// -> v if neither end is taken. Of equal scores the larger edge id, that is the larger (source,
/// target), goes first. `scores` are by slot. A self-loop, where the graph has one, takes part:
/// contracting it takes its node and leaves the node unmerged. Edges whose score is NaN or minus
/// infinity are never contracted.
///
/// Computed as the locally dominant matching (Preis; Manne and Bisseling): contract every edge that
/// beats all other edges at both its ends, and repeat. Because the edges are totally ordered, this
/// is the same matching as the greedy one, without a global sort, and whatever the order in which
/// edges are looked at: hence on any number of threads. Linear time in practice; a hub whose
/// neighbours are taken one by one may be scanned once for each of them.
template <class T>
Contraction contract_edges(const Graph& graph, std::span<const T> scores,
                           const NodeOrder& order = {}, int threads = 1);

}  // namespace hgnet
