#include "hgnet/nn/top_k_pool.hpp"

#include <ATen/Dispatch.h>

#include <cmath>

#include "hgnet/nn/init.hpp"
#include "hgnet/ops/segment.hpp"

namespace hgnet {

TopKPoolImpl::TopKPoolImpl(std::int64_t width, Keep keep, Generator& generator) : keep_(keep) {
  const double bound = 1.0 / std::sqrt(static_cast<double>(width));
  weight = register_parameter("weight", init::uniform({1, width}, bound, generator));
}

PooledLevel TopKPoolImpl::forward(const Graph& graph, const torch::Tensor& x,
                                  const ParentMap& graph_of_node) const {
  const torch::Tensor y = x.mm(weight.t()).squeeze(1) / weight.norm();
  const torch::Tensor scores = y.detach().contiguous();
  ParentMap parent;
  AT_DISPATCH_FLOATING_TYPES(scores.scalar_type(), "top_k_pool", [&] {
    parent =
        top_k<scalar_t>({scores.data_ptr<scalar_t>(), static_cast<std::size_t>(scores.numel())},
                        graph_of_node, keep_);
  });
  // A kept node is its parent's only member, so the sum over members picks its row.
  const torch::Tensor kept = segment_sum(x * torch::tanh(y).unsqueeze(1), parent);
  return {{parent, squared_graph(graph, parent)}, kept, {}, {}};
}

ParentMap graph_of_coarse_node(const ParentMap& parent, const ParentMap& graph_of_node) {
  std::vector<NodeId> graph(parent.num_parents());
  for (NodeId p = 0; p < parent.num_parents(); ++p)
    graph[p] = graph_of_node.parent(parent.members(p).front());
  return {std::move(graph), graph_of_node.num_parents()};
}

}  // namespace hgnet
