#pragma once

#include <memory>
#include <span>
#include <vector>

#include "hgnet/graph/contraction.hpp"
#include "hgnet/graph/graph.hpp"

namespace hgnet {

/// The order of a graph's nodes that decides between edges of equal score: by id, or, for the coarse nodes of a
/// contraction, the order in which they were contracted, those left alone last, each in the order of its members. That is how
/// the original EdgePool numbers coarse nodes. Ours are numbered by smallest member; but where twins (nodes of equal neighbours
/// and so of equal rows) make scores tie above the first level, only this order gives the original's choices. Nothing is sorted here:
/// two nodes are compared when a tie asks for it. Immutable, cheap to copy.
class NodeOrder {
 public:
  /// By id.
  NodeOrder() = default;
  /// Of the coarse nodes of `contraction`, which was made of `fine` and its nodes' order `below`; `scores` by
  /// coarse node are those of the contracted edges.
  NodeOrder(Graph fine, const Contraction& contraction, std::vector<double> scores,
            NodeOrder below);

  bool by_id() const { return storage_ == nullptr; }
  bool before(NodeId a, NodeId b) const;
  /// Whether the edge (source, target) a has the larger id: the later source or, with equal sources, the later target.
  bool edge_after(NodeId a_source, NodeId a_target, NodeId b_source, NodeId b_target) const;

 private:
  struct Storage;
  std::shared_ptr<const Storage> storage_;
};

/// EdgePool's choice: go through the directed edges from the highest score to the lowest and
/// contract u -> v if neither end is taken; of equal scores the larger edge id, that is the larger
/// (source, target), goes first. `scores` are by slot. A self-loop, where the graph has one, takes
/// part: contracting it takes its node and leaves it alone. Edges whose score is not a number, or
/// minus infinity, are never contracted.
///
/// Found as the locally-dominant matching (Preis; Manne and Bisseling): contract every edge that
/// beats all other edges at both its ends, and repeat. A total order of the edges makes that the
/// same matching as the greedy one, without a global sort. Linear time in practice; a
/// hub whose neighbours are taken one by one may be gone through once for each of them.
template <class T>
Contraction contract_edges(const Graph& graph, std::span<const T> scores,
                           const NodeOrder& order = {});

}  // namespace hgnet
