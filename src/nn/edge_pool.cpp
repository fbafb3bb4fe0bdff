#include "hgnet/nn/edge_pool.hpp"

#include <ATen/Dispatch.h>

#include <cmath>

#include "hgnet/nn/init.hpp"
#include "hgnet/ops/merge.hpp"
#include "hgnet/ops/softmax.hpp"

namespace hgnet {
namespace {

Contraction contract(const Graph& graph, const torch::Tensor& scores) {
  const torch::Tensor by_slot = scores.detach().contiguous();
  Contraction result;
  AT_DISPATCH_FLOATING_TYPES(by_slot.scalar_type(), "edge_pool", [&] {
    result = contract_edges<scalar_t>(
        graph, {by_slot.data_ptr<scalar_t>(), static_cast<std::size_t>(by_slot.numel())});
  });
  return result;
}

}  // namespace

EdgePoolImpl::EdgePoolImpl(std::int64_t width, const CoarseGraphOptions& options,
                           Generator& generator)
    : options_(options) {
  // As a Linear of 2 * width inputs and one output.
  const double bound = 1.0 / std::sqrt(2.0 * static_cast<double>(width));
  weight = register_parameter("weight", init::uniform({2, width}, bound, generator));
  bias = register_parameter("bias", init::uniform({1}, bound, generator));
}

PooledLevel EdgePoolImpl::forward(const Graph& graph, const torch::Tensor& x,
                                  bool with_score) const {
  const torch::Tensor scores = edge_score(graph, x.mm(weight.t()), bias);
  const Contraction contraction = contract(graph, scores);
  return {{contraction.parent, coarse_graph(graph, contraction.parent, options_)},
          merge_rows(x, scores, contraction),
          with_score ? contracted_scores(scores, contraction) : torch::Tensor()};
}

}  // namespace hgnet
