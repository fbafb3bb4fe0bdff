#pragma once

#include <string>
#include <vector>

#include "hgnet/graph/graph.hpp"
#include "hgnet/graph/parent_map.hpp"

namespace hgnet::test {

/// An edge list from {source, target} pairs.
EdgeList edges(const std::vector<std::pair<std::int64_t, std::int64_t>>& pairs);

struct NamedGraph {
  std::string name;
  Graph graph;
};

/// Small graphs of every awkward kind: no nodes, one node, isolated nodes, self-loops, a hub,
/// random.
std::vector<NamedGraph> small_graphs();

/// Large enough that kernels use several threads, with degrees from 0 to thousands.
Graph skewed_graph();

/// Every node gets a random parent or none; parents may have no members.
ParentMap random_map(NodeId num_children, NodeId num_parents, std::uint64_t seed);

}  // namespace hgnet::test
