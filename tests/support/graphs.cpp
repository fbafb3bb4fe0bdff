#include "support/graphs.hpp"

#include "hgnet/core/random.hpp"
#include "hgnet/graph/generators.hpp"

namespace hgnet::test {

EdgeList edges(const std::vector<std::pair<std::int64_t, std::int64_t>>& pairs) {
  EdgeList list;
  for (const auto& [source, target] : pairs) {
    list.source.push_back(source);
    list.target.push_back(target);
  }
  return list;
}

std::vector<NamedGraph> small_graphs() {
  Generator generator(7);
  EdgeList hub;
  for (int i = 1; i < 40; ++i) {
    hub.source.push_back(i);
    hub.target.push_back(0);
  }
  return {{"no nodes", Graph()},
          {"one node", Graph::from_edges(1, {})},
          {"one node with a self-loop",
           Graph::from_edges(1, edges({{0, 0}}), {.self_loops = SelfLoops::kKeep})},
          {"three nodes, no edges", Graph::from_edges(3, {})},
          {"one edge", Graph::from_edges(2, edges({{0, 1}}))},
          {"self-loops and an isolated node",
           Graph::from_edges(5, edges({{0, 0}, {0, 1}, {1, 2}, {2, 2}, {2, 0}, {4, 4}}),
                             {.self_loops = SelfLoops::kKeep})},
          {"hub", Graph::from_edges(41, hub)},
          {"grid", grid_graph(4, 3)},
          {"random", random_graph(20, 50, generator)}};
}

Graph skewed_graph() {
  Generator generator(11);
  EdgeList list;
  for (int i = 0; i < 200000; ++i) {
    // The third power pulls one end towards low ids, which become hubs.
    const double u = generator.uniform();
    list.source.push_back(static_cast<std::int64_t>(u * u * u * 39000));
    list.target.push_back(static_cast<std::int64_t>(generator.below(39000)));
  }
  return Graph::from_edges(40000, list);
}

ParentMap random_map(NodeId num_children, NodeId num_parents, std::uint64_t seed) {
  Generator generator(seed);
  std::vector<NodeId> parent(num_children, kNoNode);
  for (NodeId& p : parent) {
    if (num_parents > 0 && generator.below(8) > 0) {
      p = static_cast<NodeId>(generator.below(num_parents));
    }
  }
  return {std::move(parent), num_parents};
}

}  // namespace hgnet::test
