#pragma once

#include <span>
#include <utility>
#include <vector>

#include "coarsening/best_choice.hpp"
#include "coarsening/local_moving.hpp"

namespace hgnet {

/// For every node a lower bound of the gain by which its community is better than any other
/// community nearby, so that nodes whose bound stays above zero need no visit. A visit sets it. It
/// falls when the node's own community gains degree, or one nearby loses some; these nodes are
/// found through lists of each community's members. Edges to nodes that move are not its business:
/// those nodes' neighbours have to be visited, except in the community that they join, which only
/// becomes better for them.
class Margins {
 public:
  /// All bounds are 0.
  Margins(const Weighted& graph, std::span<const NodeId> community);

  void set(NodeId v, double margin) { margin_[v] = margin; }
  bool is_above(NodeId v, double least) const { return margin_[v] > least; }

  /// Node v has left a community for another one: the lists change, the bounds not yet.
  void relink(NodeId v, NodeId from, NodeId to);

  /// Lowers the bounds for a node of the given degree that left `from` and joined `to`, and calls
  /// below(u) for nodes whose bound is negative. Returns how many slots it went through.
  template <class Below>
  EdgeId lower(double degree, NodeId from, NodeId to, const Below& below);

 private:
  void link(NodeId v, NodeId to);

  const Weighted& graph_;
  std::vector<double> margin_;
  // Members of a community as a list through its nodes.
  std::vector<NodeId> first_;  // by community
  std::vector<NodeId> next_;   // by node
  std::vector<NodeId> previous_;
};

template <class Below>
EdgeId Margins::lower(double degree, NodeId from, NodeId to, const Below& below) {
  const double change = degree / graph_.total;
  const auto lowered = [&](NodeId u) {
    margin_[u] -= graph_.degree[u] * change;
    if (margin_[u] <= kLeastGain * graph_.degree[u]) below(u);
  };
  EdgeId slots = 0;
  for (NodeId u = first_[to]; u != kNoNode; u = next_[u], ++slots) lowered(u);
  for (NodeId v = first_[from]; v != kNoNode; v = next_[v]) {
    const EdgeId end = graph_.csr.offsets[v + 1];
    slots += end - graph_.csr.offsets[v];
    for (EdgeId s = graph_.csr.offsets[v]; s < end; ++s) lowered(graph_.csr.columns[s]);
  }
  return slots;
}

}  // namespace hgnet
