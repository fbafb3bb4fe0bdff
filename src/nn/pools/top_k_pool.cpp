#include "hgnet/nn/pools/top_k_pool.hpp"

#include <ATen/Dispatch.h>

#include <cmath>

#include "hgnet/core/text.hpp"
#include "hgnet/nn/init.hpp"
#include "hgnet/ops/linear.hpp"
#include "hgnet/ops/merge.hpp"

namespace hgnet {

TopKPoolImpl::TopKPoolImpl(const PoolOptions& options, Generator& generator) : keep_(options.keep) {
  const double bound = 1.0 / std::sqrt(static_cast<double>(options.width));
  weight = register_parameter("weight", init::uniform({1, options.width}, bound, generator));
}

Pooled TopKPoolImpl::forward(const PoolLevel& level, const torch::Tensor& x, const Hierarchy&) {
  const ProductAndRows projected = small_linear_and_rows(x, weight);
  const torch::Tensor y = projected.y.squeeze(1) / weight.norm();
  const torch::Tensor scores = y.detach().contiguous();
  ParentMap parent;
  AT_DISPATCH_FLOATING_TYPES(scores.scalar_type(), "top_k_pool", [&] {
    parent =
        top_k<scalar_t>({scores.data_ptr<scalar_t>(), static_cast<std::size_t>(scores.numel())},
                        level.graph_of_node, keep_);
  });
  // Each kept node is merged with no other and scaled by its own score.
  Contraction kept{parent, std::vector<EdgeId>(parent.num_parents())};
  for (NodeId p = 0; p < parent.num_parents(); ++p) kept.slot[p] = parent.members(p).front();
  const MergedRows merged = merge_rows(projected.x, torch::tanh(y), kept);
  return {{parent, squared_graph(level.graph, parent)}, merged.rows, merged.x, {}, {}};
}

std::string TopKPoolImpl::text() const {
  const double kept = keep_.count > 0 ? static_cast<double>(keep_.count) : keep_.ratio;
  return "squared graph, keep " + short_number(kept);
}

std::string TopKPoolImpl::reach(int level) const {
  return "each squaring doubles a hop's reach, up to " + std::to_string(std::int64_t{1} << level) +
         " at level " + std::to_string(level) + ", among the nodes that are kept";
}

std::shared_ptr<Pool> make_top_k_pool(Coarsening, const PoolOptions& options,
                                      Generator& generator) {
  return std::make_shared<TopKPoolImpl>(options, generator);
}

}  // namespace hgnet
