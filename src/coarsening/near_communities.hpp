#pragma once

#include <span>
#include <vector>

#include "coarsening/local_moving.hpp"

namespace hgnet {

/// The communities of a node's neighbours and the weight of its edges into each; storage that is
/// used for one node after the other.
struct NearCommunities {
  std::size_t count = 0;
  std::vector<NodeId> communities;  // the first `count` entries
  std::vector<double> weights;
  std::vector<NodeId> place;  // by community: where it is in the lists; for long rows

  /// Fills the lists, the node's own community first. Short rows are searched; for long ones a
  /// table says where a community is.
  void collect(const Weighted& graph, std::span<const NodeId> community, NodeId v) {
    constexpr EdgeId kShortRow = 32;
    const EdgeId slots = graph.csr.offsets[v + 1] - graph.csr.offsets[v];
    const auto most = static_cast<std::size_t>(slots) + 1;
    if (communities.size() < most) {
      communities.resize(2 * most);
      weights.resize(2 * most);
    }
    communities[0] = community[v];
    weights[0] = 0;
    count = 1;
    if (slots <= kShortRow) {
      add_weights(graph, community, v, [&](NodeId c) { return searched(c); });
    } else {
      if (place.empty()) place.resize(community.size(), 0);
      place[community[v]] = 0;
      add_weights(graph, community, v, [&](NodeId c) { return looked_up(c); });
    }
  }

 private:
  /// place_of(c) is where community c is in the lists, or `count` if it is new.
  template <class PlaceOf>
  void add_weights(const Weighted& graph, std::span<const NodeId> community, NodeId v,
                   const PlaceOf& place_of) {
    const EdgeId end = graph.csr.offsets[v + 1];
    for (EdgeId s = graph.csr.offsets[v]; s < end; ++s) {
      const NodeId u = graph.csr.columns[s];
      if (u == v) continue;
      const NodeId c = community[u];
      const std::size_t at = place_of(c);
      if (at == count) {
        communities[at] = c;
        weights[at] = 0;
        ++count;
      }
      weights[at] += graph.weight(s);
    }
  }

  std::size_t searched(NodeId c) const {
    std::size_t at = 0;
    while (at < count && communities[at] != c) ++at;
    return at;
  }

  /// Entries of the table may be of an earlier node.
  std::size_t looked_up(NodeId c) {
    const auto at = static_cast<std::size_t>(place[c]);
    if (at < count && communities[at] == c) return at;
    place[c] = static_cast<NodeId>(count);
    return count;
  }
};

}  // namespace hgnet
