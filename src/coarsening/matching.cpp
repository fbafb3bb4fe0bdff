#include "hgnet/coarsening/matching.hpp"

#include <numeric>
#include <span>
#include <vector>

#include "coarsening/mates.hpp"
#include "hgnet/core/random.hpp"

namespace hgnet {
namespace {

/// weight(s) ranks the slots of a row; ties are broken uniformly at random.
template <class Weight>
Contraction match(const Graph& graph, std::uint64_t seed, const Weight& weight) {
  Generator generator(seed);
  std::vector<NodeId> order(graph.num_nodes());
  std::iota(order.begin(), order.end(), 0);
  generator.shuffle(std::span<NodeId>(order));
  std::vector<NodeId> mate(graph.num_nodes(), kNoNode);
  std::vector<EdgeId> slot(graph.num_nodes(), kNoSlot);
  for (const NodeId v : order) {
    if (mate[v] != kNoNode) continue;
    EdgeId best = kNoSlot;
    std::uint64_t equals = 0;
    for (EdgeId s = graph.offsets()[v]; s < graph.offsets()[v + 1]; ++s) {
      const NodeId u = graph.columns()[s];
      if (u == v || mate[u] != kNoNode) continue;
      if (best != kNoSlot && weight(s) < weight(best)) continue;
      equals = best != kNoSlot && weight(s) == weight(best) ? equals + 1 : 1;
      if (generator.below(equals) == 0) best = s;
    }
    if (best == kNoSlot) continue;
    const NodeId u = graph.columns()[best];
    mate[v] = u;
    mate[u] = v;
    slot[v] = slot[u] = best;
  }
  return number_by_smallest_member(mate, [&](NodeId v) { return slot[v]; });
}

}  // namespace

Contraction heavy_edge_matching(const Graph& graph, std::uint64_t seed) {
  if (!graph.has_weights()) return random_matching(graph, seed);
  return match(graph, seed, [&](EdgeId s) { return graph.weights()[s]; });
}

Contraction random_matching(const Graph& graph, std::uint64_t seed) {
  return match(graph, seed, [](EdgeId) { return 0; });
}

}  // namespace hgnet
