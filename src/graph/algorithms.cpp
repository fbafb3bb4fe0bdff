#include "hgnet/graph/algorithms.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "hgnet/core/error.hpp"

namespace hgnet {
namespace {

/// Visits what is reachable from the queue's nodes; visit(v, u) returns whether u, a neighbour of
/// v, is new. Afterwards the queue holds all nodes in the order reached.
template <class Visit>
void flood(const Graph& graph, std::vector<NodeId>& queue, Visit&& visit) {
  const CsrView csr = graph.csr();
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const NodeId v = queue[next];
    for (EdgeId s = csr.offsets[v]; s < csr.offsets[v + 1]; ++s) {
      if (visit(v, csr.columns[s])) queue.push_back(csr.columns[s]);
    }
  }
}

/// Nodes whose eccentricity, the distance to the farthest node of the same group, may still exceed
/// `low`, the largest one found, with its bounds. After Takes and Kosters, "Determining the diameter
/// of small world networks": for every search from a node s of the group, d(s, v) <= ecc(v) and
/// ecc(s) - d(s, v) <= ecc(v) <= ecc(s) + d(s, v). One search serves all groups.
class Eccentricities {
 public:
  explicit Eccentricities(const ParentMap& groups) : groups_(groups) {
    for (NodeId v = 0; v < groups.num_children(); ++v) {
      if (groups.parent(v) != kNoNode)
        open_.push_back({v, {0, std::numeric_limits<NodeId>::max()}});
    }
  }

  bool all_known() const { return open_.empty(); }

  /// A node of each group. Alternates between the node that may be farthest from another and the
  /// one that may be most central: the first raise `low`, the second lower the others' bounds. Ties
  /// go to the node with more edges.
  std::vector<NodeId> most_telling(const Graph& graph, bool far) const {
    const auto rank = [&](const Open& open) {
      return std::pair(far ? open.eccentricity.high : -open.eccentricity.low,
                       graph.degree(open.node));
    };
    std::vector<const Open*> best(groups_.num_parents(), nullptr);
    for (const Open& open : open_) {
      const Open*& here = best[groups_.parent(open.node)];
      if (here == nullptr || rank(*here) < rank(open)) here = &open;
    }
    std::vector<NodeId> nodes;
    for (const Open* open : best) {
      if (open != nullptr) nodes.push_back(open->node);
    }
    return nodes;
  }

  void learn(std::span<const std::int32_t> distance_from_source) {
    std::vector<std::int32_t> reach(groups_.num_parents(), 0);
    for (NodeId v = 0; v < groups_.num_children(); ++v) {
      if (groups_.parent(v) == kNoNode) continue;
      std::int32_t& far = reach[groups_.parent(v)];
      far = std::max(far, distance_from_source[v]);
      low_ = std::max(low_, far);
    }
    for (Open& open : open_) {
      const std::int32_t distance = distance_from_source[open.node];
      const std::int32_t far = reach[groups_.parent(open.node)];
      Bounds& bounds = open.eccentricity;
      bounds.low = std::max({bounds.low, distance, far - distance});
      bounds.high = std::min(bounds.high, far + distance);
      if (distance == 0) bounds = {far, far};
    }
    std::erase_if(open_, [&](const Open& open) { return open.eccentricity.high <= low_; });
  }

  Bounds largest() const {
    Bounds result{low_, low_};
    for (const Open& open : open_) result.high = std::max(result.high, open.eccentricity.high);
    return result;
  }

 private:
  struct Open {
    NodeId node;
    Bounds eccentricity;
  };

  const ParentMap& groups_;
  std::vector<Open> open_;
  std::int32_t low_ = 0;
};

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

Bounds longest_shortest_path(const Graph& graph, const ParentMap& groups, std::int64_t max_visits) {
  Eccentricities eccentricities(groups);
  const std::int64_t visits = graph.num_nodes() + graph.num_edges();
  for (int search = 0; !eccentricities.all_known(); ++search) {
    if (search >= 2 && search * visits >= max_visits) break;
    const std::vector<NodeId> sources = eccentricities.most_telling(graph, search % 2 == 1);
    eccentricities.learn(breadth_first_distances(graph, sources));
  }
  return eccentricities.largest();
}

Bounds diameter(const Graph& graph, std::int64_t max_visits) {
  const ParentMap components = connected_components(graph);
  std::span<const NodeId> largest;
  for (NodeId c = 0; c < components.num_parents(); ++c) {
    if (components.members(c).size() > largest.size()) largest = components.members(c);
  }
  std::vector<NodeId> group(graph.num_nodes(), kNoNode);
  for (const NodeId v : largest) group[v] = 0;
  return longest_shortest_path(graph, ParentMap(std::move(group), 1), max_visits);
}

}  // namespace hgnet
