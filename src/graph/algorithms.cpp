#include "hgnet/graph/algorithms.hpp"

#include <string>
#include <utility>

#include "hgnet/core/error.hpp"

namespace hgnet {
namespace {

/// Visits what is reachable from the queue's nodes; visit(v, u) tells whether u, a neighbour of v, is new.
/// The queue ends up as all nodes in the order reached.
template <class Visit>
void flood(const Graph& graph, std::vector<NodeId>& queue, Visit&& visit) {
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const NodeId v = queue[next];
    for (const NodeId u : graph.neighbours(v)) {
      if (visit(v, u)) queue.push_back(u);
    }
  }
}

}  // namespace

ParentMap connected_components(const Graph& graph) {
  std::vector<NodeId> component(graph.num_nodes(), kNoNode);
  std::vector<NodeId> queue;
  NodeId count = 0;
  for (NodeId v = 0; v < graph.num_nodes(); ++v) {
    if (component[v] != kNoNode) continue;
    component[v] = count;
    queue.assign(1, v);
    flood(graph, queue, [&](NodeId, NodeId u) {
      if (component[u] != kNoNode) return false;
      component[u] = count;
      return true;
    });
    ++count;
  }
  return {std::move(component), count};
}

std::vector<std::int32_t> breadth_first_distances(const Graph& graph,
                                                  std::span<const NodeId> sources) {
  std::vector<std::int32_t> distance(graph.num_nodes(), kUnreached);
  std::vector<NodeId> queue;
  for (const NodeId source : sources) {
    if (source < 0 || source >= graph.num_nodes()) {
      throw InvalidGraph("breadth-first search: source " + std::to_string(source) +
                         " is not a node; expected 0 <= id < " + std::to_string(graph.num_nodes()));
    }
    if (distance[source] == 0) continue;
    distance[source] = 0;
    queue.push_back(source);
  }
  flood(graph, queue, [&](NodeId v, NodeId u) {
    if (distance[u] != kUnreached) return false;
    distance[u] = distance[v] + 1;
    return true;
  });
  return distance;
}

std::vector<std::int32_t> breadth_first_distances(const Graph& graph, NodeId source) {
  return breadth_first_distances(graph, std::span<const NodeId>(&source, 1));
}

}  // namespace hgnet
