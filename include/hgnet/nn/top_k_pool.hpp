#pragma once

#include "hgnet/coarsening/top_k.hpp"
#include "hgnet/nn/edge_pool.hpp"

namespace hgnet {

/// gPool (Gao and Ji): y = X p / |p|; the k nodes of highest y in each graph stay, x' = x tanh(y); their graph is
/// (A + I)^2 without diagonal, restricted to them, its entries as edge weights.
class TopKPoolImpl : public torch::nn::Module {
 public:
  TopKPoolImpl(std::int64_t width, Keep keep, Generator& generator);

  /// `graph_of_node` says which graph of the batch each node is in.
  PooledLevel forward(const Graph& graph, const torch::Tensor& x,
                      const ParentMap& graph_of_node) const;

  torch::Tensor weight;  // p [1, width]

 private:
  Keep keep_;
};
TORCH_MODULE(TopKPool);

/// Which graph the coarse nodes are in, from that of their members.
ParentMap graph_of_coarse_node(const ParentMap& parent, const ParentMap& graph_of_node);

}  // namespace hgnet
