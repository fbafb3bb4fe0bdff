#include "hgnet/graph/algorithms.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
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
/// `low`, the largest one found, with its bounds. After Takes and Kosters, "Determining the
/// diameter of small world networks": for every search from a node s of the group, d(s, v) <=
/// ecc(v) and ecc(s) - d(s, v) <= ecc(v) <= ecc(s) + d(s, v). One search serves all groups.
class Eccentricities {
 public:
  explicit Eccentricities(const ParentMap& groups) : groups_(groups) {
    for (NodeId v = 0; v < groups.num_children(); ++v) {
      if (groups.parent(v) != kNoNode)
        open_.push_back({v, {0, std::numeric_limits<NodeId>::max()}});
    }
  }

  std::size_t num_open() const { return open_.size(); }

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

  /// Open nodes, up to `count`, that are close to each other.
  std::vector<NodeId> close_together(const Graph& graph, std::size_t count) const {
    std::vector<char> found(graph.num_nodes(), 0), open(graph.num_nodes(), 0);
    for (const Open& here : open_) open[here.node] = 1;
    std::vector<NodeId> nodes, queue{open_.front().node};
    found[queue.front()] = 1;
    for (std::size_t next = 0; next < queue.size() && nodes.size() < count; ++next) {
      if (open[queue[next]] != 0) nodes.push_back(queue[next]);
      for (const NodeId u : graph.neighbours(queue[next])) {
        if (found[u] == 0) queue.push_back(u);
        found[u] = 1;
      }
    }
    return nodes;
  }

  void learn_eccentricities(std::span<const NodeId> nodes, std::span<const std::int32_t> values) {
    for (const std::int32_t value : values) low_ = std::max(low_, value);
    std::erase_if(open_, [&](const Open& open) {
      return open.eccentricity.high <= low_ ||
             std::find(nodes.begin(), nodes.end(), open.node) != nodes.end();
    });
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

constexpr std::size_t kBits = 64;

/// Searches from up to 64 nodes in one pass: bit i of a node's word says that source i has reached
/// it.
class SearchOf64 {
 public:
  SearchOf64(const Graph& graph, const ParentMap& groups, std::span<const NodeId> sources)
      : csr_(graph.csr()),
        groups_(groups),
        seen_(graph.num_nodes(), 0),
        arrived_(graph.num_nodes(), 0),
        arriving_(graph.num_nodes(), 0),
        eccentricity_(sources.size(), 0) {
    for (std::size_t i = 0; i < sources.size(); ++i) {
      everyone_ |= std::uint64_t{1} << i;
      seen_[sources[i]] |= std::uint64_t{1} << i;
      arrived_[sources[i]] = seen_[sources[i]];
      front_.push_back(sources[i]);
    }
    for (std::int32_t distance = 1; !front_.empty(); ++distance) step(distance);
  }

  /// Of each source, as far as nodes with a group: they are in its own.
  std::span<const std::int32_t> eccentricity() const { return eccentricity_; }
  std::int64_t visits() const { return visits_; }

 private:
  void step(std::int32_t distance) {
    touched_.clear();
    if (4 * front_.size() > seen_.size()) {
      pull();
    } else {
      push();
    }
    for (const NodeId v : front_) {
      arrived_[v] = 0;
      visits_ += 1 + csr_.offsets[v + 1] - csr_.offsets[v];
    }
    std::uint64_t far = 0;
    front_.clear();
    for (const NodeId u : touched_) {
      arrived_[u] = arriving_[u] & ~seen_[u];
      arriving_[u] = 0;
      if (arrived_[u] == 0) continue;
      seen_[u] |= arrived_[u];
      if (groups_.parent(u) != kNoNode) far |= arrived_[u];
      front_.push_back(u);
    }
    for (; far != 0; far &= far - 1) eccentricity_[std::countr_zero(far)] = distance;
  }

  /// From the nodes of the front to their neighbours.
  void push() {
    for (const NodeId v : front_) {
      for (EdgeId s = csr_.offsets[v]; s < csr_.offsets[v + 1]; ++s) {
        const NodeId u = csr_.columns[s];
        if (arriving_[u] == 0) touched_.push_back(u);
        arriving_[u] |= arrived_[v];
      }
    }
  }

  /// The same from the other side, for a front of many nodes: rows of those that miss a source.
  void pull() {
    for (NodeId u = 0; u < std::ssize(seen_); ++u) {
      if (seen_[u] == everyone_) continue;
      std::uint64_t arriving = 0;
      for (EdgeId s = csr_.offsets[u]; s < csr_.offsets[u + 1]; ++s)
        arriving |= arrived_[csr_.columns[s]];
      arriving_[u] = arriving;
      if (arriving != 0) touched_.push_back(u);
    }
  }

  CsrView csr_;
  const ParentMap& groups_;
  std::vector<std::uint64_t> seen_, arrived_, arriving_;
  std::uint64_t everyone_ = 0;
  std::vector<NodeId> front_, touched_;
  std::vector<std::int32_t> eccentricity_;
  std::int64_t visits_ = 0;
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
  std::int64_t visits = 0;
  // Searches from telling nodes, by twos, while they say more than 64 plain ones; where all nodes
  // are much alike, they do not.
  for (bool telling = true; telling;) {
    const std::size_t before = eccentricities.num_open();
    for (const bool far : {false, true}) {
      if (eccentricities.num_open() == 0) return eccentricities.largest();
      eccentricities.learn(breadth_first_distances(graph, eccentricities.most_telling(graph, far)));
      visits += graph.num_nodes() + graph.num_edges();
    }
    if (visits >= max_visits) return eccentricities.largest();
    telling = before - eccentricities.num_open() > kBits;
  }
  while (eccentricities.num_open() > 0 && visits < max_visits) {
    const std::vector<NodeId> sources = eccentricities.close_together(graph, kBits);
    const SearchOf64 search(graph, groups, sources);
    eccentricities.learn_eccentricities(sources, search.eccentricity());
    visits += search.visits();
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
