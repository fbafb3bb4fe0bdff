#include "hgnet/nn/top_k_pool.hpp"

#include <ATen/Dispatch.h>

#include <cmath>

#include "hgnet/nn/init.hpp"
#include "hgnet/ops/linear.hpp"
#include "hgnet/ops/merge.hpp"

namespace hgnet {

TopKPoolImpl::TopKPoolImpl(std::int64_t width, Keep keep, Generator& generator) : keep_(keep) {
  const double bound = 1.0 / std::sqrt(static_cast<double>(width));
  weight = register_parameter("weight", init::uniform({1, width}, bound, generator));
}

PooledLevel TopKPoolImpl::forward(const Graph& graph, const torch::Tensor& x,
                                  const ParentMap& graph_of_node) const {
  const ProductAndRows projected = small_linear_and_rows(x, weight);
  const torch::Tensor y = projected.y.squeeze(1) / weight.norm();
  const torch::Tensor scores = y.detach().contiguous();
  ParentMap parent;
  AT_DISPATCH_FLOATING_TYPES(scores.scalar_type(), "top_k_pool", [&] {
    parent =
        top_k<scalar_t>({scores.data_ptr<scalar_t>(), static_cast<std::size_t>(scores.numel())},
                        graph_of_node, keep_);
  });
  // Each kept node is merged with no other, and scaled by its own score.
  Contraction kept{parent, std::vector<EdgeId>(parent.num_parents())};
  for (NodeId p = 0; p < parent.num_parents(); ++p) kept.slot[p] = parent.members(p).front();
  const MergedRows merged = merge_rows(projected.x, torch::tanh(y), kept);
  return {{parent, squared_graph(graph, parent)}, merged.rows, merged.x, {}, {}};
}

ParentMap graph_of_coarse_node(const ParentMap& parent, const ParentMap& graph_of_node) {
  std::vector<NodeId> graph(parent.num_parents());
  for (NodeId p = 0; p < parent.num_parents(); ++p)
    graph[p] = graph_of_node.parent(parent.members(p).front());
  return {std::move(graph), graph_of_node.num_parents()};
}

}  // namespace hgnet
