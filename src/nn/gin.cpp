#include "hgnet/nn/gin.hpp"

#include "hgnet/ops/spmm.hpp"
#include "text.hpp"

namespace hgnet {

GinLayerImpl::GinLayerImpl(const GinOptions& options, Generator& generator) : options_(options) {
  first = register_module("first", Linear(options.in, options.out, generator));
  middle = register_module(
      "middle", Tail(options.out, TailOptions{options.batch_norm ? Norm::kBatch : Norm::kNone,
                                              Activation::kRelu, 0.0}));
  second = register_module("second", Linear(options.out, options.out, generator));
  if (options.trainable_eps) eps = register_parameter("eps", torch::zeros({1}));
  bias = second->bias;
}

torch::Tensor GinLayerImpl::sum_with_neighbours(const Graph& graph, const torch::Tensor& x) const {
  torch::Tensor diagonal = torch::ones({graph.num_nodes()}, x.scalar_type());
  if (eps.defined()) diagonal = diagonal + eps;
  return spmm({graph, {}, diagonal, true}, x);
}

torch::Tensor GinLayerImpl::propagate(const Graph& graph, const Features& x, const EdgeRows&,
                                      Generator& generator) {
  const bool sum_first = !x.is_sparse() && options_.in <= options_.out;
  const torch::Tensor hidden =
      sum_first ? Features(sum_with_neighbours(graph, x.dense())).times(first->weight)
                : sum_with_neighbours(graph, x.times(first->weight));
  return Features(middle->forward(hidden, first->bias, generator)).times(second->weight);
}

std::string GinLayerImpl::text() const {
  return "gin " + widths(options_.in, options_.out) + " -> " + std::to_string(options_.out) +
         (options_.batch_norm ? " (batch norm inside)" : "") +
         (options_.trainable_eps ? " (eps trained)" : "");
}

}  // namespace hgnet
