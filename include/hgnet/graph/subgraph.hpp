#pragma once

#include <span>
#include <vector>

#include "hgnet/graph/hierarchy.hpp"

namespace hgnet {

/// A part of a graph. What is left out counts in Graph::outside.
struct Subgraph {
  Graph graph;
  std::vector<NodeId> nodes;  // by node of the part: which node of the whole graph it is
  std::vector<EdgeId> slots;  // by slot of the part: which slot of the whole graph it is
  NodeId first = 0;           // of around(): where the asked nodes begin
};

/// Cuts parts out of one graph. Needs four bytes per node of it. For one thread.
class SubgraphCutter {
 public:
  explicit SubgraphCutter(Graph graph);

  /// The given nodes, each listed once, and the edges between them.
  Subgraph among(std::vector<NodeId> nodes);

  /// The nodes begin .. end - 1 with all their edges, and the neighbours that these lead to, all in
  /// the order of the whole graph. A neighbour has no edges of its own but a self-loop, so this is
  /// not a Graph for backward passes: edges have one direction only.
  Subgraph around(NodeId begin, NodeId end);

 private:
  Subgraph cut(std::vector<NodeId> nodes, NodeId first, NodeId last);

  Graph graph_;
  std::vector<NodeId> place_;  // by node: its place in the part that is being cut; else kNoNode
};

/// Cuts parts out of a hierarchy: some nodes of G_0, on every level the parents of those below, and
/// the edges among them. Coarse nodes are numbered by the smallest member that is there.
class HierarchyCutter {
 public:
  explicit HierarchyCutter(const Hierarchy& hierarchy);

  Hierarchy among(std::vector<NodeId> nodes);

 private:
  const Hierarchy& hierarchy_;
  std::vector<SubgraphCutter> levels_;
};

}  // namespace hgnet
