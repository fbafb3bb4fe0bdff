#include "hgnet/nn/pools/edge_pool.hpp"

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>

#include <cmath>

#include "hgnet/nn/init.hpp"
#include "hgnet/ops/linear.hpp"
#include "hgnet/ops/merge.hpp"
#include "hgnet/ops/softmax.hpp"

namespace hgnet {
namespace {

/// `by_slot` are contiguous scores without history.
Contraction contract(const Graph& graph, const torch::Tensor& by_slot, const NodeOrder& order) {
  Contraction result;
  AT_DISPATCH_FLOATING_TYPES(by_slot.scalar_type(), "edge_pool", [&] {
    result = contract_edges<scalar_t>(
        graph, {by_slot.data_ptr<scalar_t>(), static_cast<std::size_t>(by_slot.numel())}, order,
        at::get_num_threads());
  });
  return result;
}

/// By coarse node; 0 for unmerged ones, whose score is never used.
std::vector<double> scores_of(const Contraction& contraction, const torch::Tensor& by_slot) {
  std::vector<double> result(contraction.slot.size(), 0.0);
  AT_DISPATCH_FLOATING_TYPES(by_slot.scalar_type(), "edge_pool", [&] {
    const auto* from = by_slot.data_ptr<scalar_t>();
    for (std::size_t p = 0; p < result.size(); ++p) {
      if (contraction.slot[p] != kNoSlot) result[p] = from[contraction.slot[p]];
    }
  });
  return result;
}

}  // namespace

EdgePoolImpl::EdgePoolImpl(const PoolOptions& options, Generator& generator) : options_(options) {
  // Initialised like a Linear of 2 * width inputs and one output.
  const double bound = 1.0 / std::sqrt(2.0 * static_cast<double>(options.width));
  weight = register_parameter("weight", init::uniform({2, options.width}, bound, generator));
  bias = register_parameter("bias", init::uniform({1}, bound, generator));
}

Pooled EdgePoolImpl::forward(const PoolLevel& level, const torch::Tensor& x, const Hierarchy&) {
  const Graph& graph = level.graph;
  const ProductAndRows by_node = small_linear_and_rows(x, weight);
  const torch::Tensor scores = edge_score(graph, by_node.y, bias);
  const torch::Tensor by_slot = scores.tensor_data().contiguous();
  const Contraction contraction = contract(graph, by_slot, level.order);
  const MergedRows merged = merge_rows(by_node.x, scores, contraction);
  return {{contraction.parent,
           coarse_graph(graph, contraction.parent, options_.coarse, at::get_num_threads())},
          merged.rows,
          merged.x,
          options_.keep_score ? contracted_scores(scores, contraction) : torch::Tensor(),
          NodeOrder(graph, contraction, scores_of(contraction, by_slot), level.order)};
}

std::string EdgePoolImpl::reach(int level) const { return reach_of_pairs(level); }

std::shared_ptr<Pool> make_edge_pool(Coarsening, const PoolOptions& options, Generator& generator) {
  return std::make_shared<EdgePoolImpl>(options, generator);
}

}  // namespace hgnet
