#include "hgnet/nn/pool.hpp"

#include "hgnet/nn/pools/edge_pool.hpp"
#include "hgnet/nn/pools/static_pool.hpp"
#include "hgnet/nn/pools/top_k_pool.hpp"

namespace hgnet {
namespace {

struct PoolRow {
  Coarsening coarsening;
  std::shared_ptr<Pool> (*make)(Coarsening, const PoolOptions&, Generator&);
};

template <class Impl>
std::shared_ptr<Pool> learned(Coarsening, const PoolOptions& options, Generator& generator) {
  return std::make_shared<Impl>(options, generator);
}

std::shared_ptr<Pool> looked_up(Coarsening coarsening, const PoolOptions& options, Generator&) {
  return std::make_shared<StaticPoolImpl>(coarsening, options.pooled);
}

constexpr PoolRow kPools[] = {{Coarsening::kEdgePool, learned<EdgePoolImpl>},
                              {Coarsening::kLouvain, looked_up},
                              {Coarsening::kHeavyEdge, looked_up},
                              {Coarsening::kRandom, looked_up},
                              {Coarsening::kTopK, learned<TopKPoolImpl>}};

}  // namespace

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
  for (const PoolRow& row : kPools) {
    if (row.coarsening == coarsening) return row.make(coarsening, options, generator);
  }
  throw Error("unknown coarsening");
}

}  // namespace hgnet
