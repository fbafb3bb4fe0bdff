#include "hgnet/nn/pool.hpp"

namespace hgnet {

using MakePool = std::shared_ptr<Pool>(Coarsening, const PoolOptions&, Generator&);

#define HGNET_ROW(value, name, learned, in_pairs, by_weight, parents, pool) MakePool make_##pool;
HGNET_COARSENINGS(HGNET_ROW)
#undef HGNET_ROW

ParentMap graph_of_coarse_node(const ParentMap& parent, const ParentMap& graph_of_node) {
  std::vector<NodeId> graph(parent.num_parents());
  for (NodeId p = 0; p < parent.num_parents(); ++p)
    graph[p] = graph_of_node.parent(parent.members(p).front());
  return {std::move(graph), graph_of_node.num_parents()};
}

std::string reach_of_pairs(int level) {
  return "a node of level " + std::to_string(level) + " stands for up to " +
         std::to_string(std::int64_t{1} << level) + " nodes";
}

std::shared_ptr<Pool> make_pool(Coarsening coarsening, const PoolOptions& options,
                                Generator& generator) {
  switch (coarsening) {
#define HGNET_ROW(value, name, learned, in_pairs, by_weight, parents, pool) \
  case Coarsening::value: return make_##pool(coarsening, options, generator);
    HGNET_COARSENINGS(HGNET_ROW)
#undef HGNET_ROW
  }
  throw Error("unknown coarsening");
}

}  // namespace hgnet
