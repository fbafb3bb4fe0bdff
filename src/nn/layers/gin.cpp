#include "hgnet/nn/layers/gin.hpp"

#include "hgnet/core/text.hpp"
#include "hgnet/ops/graph_linear.hpp"

namespace hgnet {

GinLayerImpl::GinLayerImpl(const GinOptions& options, Generator& generator) : options_(options) {
  first = register_module("first", Linear(options.in, options.out, generator));
  middle = register_module(
      "middle", Tail(options.out, TailOptions{options.batch_norm ? Norm::kBatch : Norm::kNone,
                                              Activation::kRelu, 0.0}));
  second = register_module("second", Linear(options.out, options.out, generator));
  if (options.trainable_eps) eps = register_parameter("eps", torch::zeros({1}, torch::kFloat32));
  bias = second->bias;
}

/// ((1 + eps) x_v + sum_u x_u) W.
torch::Tensor GinLayerImpl::first_products(const Graph& graph, Features& x) const {
  const torch::Tensor& w = first->weight;
  if (x.is_sparse() || !worth_graph_linear(options_.in, options_.out)) {
    SparseOperator m = sum_operator(graph, w.scalar_type());
    if (eps.defined()) m.diagonal = m.diagonal + eps;
    return spmm(m, x.times(w));
  }
  if (!eps.defined())
    return x.keep_rows(graph_linear(sum_operator(graph, w.scalar_type()), x.dense(), w));
  return x.keep_rows(graph_linear({graph, {}, {}, true}, x.dense(), torch::cat({(1 + eps) * w, w}),
                                  {.root = true}));
}

torch::Tensor GinLayerImpl::propagate(const LayerInput& input, Generator& generator) {
  const torch::Tensor products = first_products(input.graph, input.x);
  const torch::Tensor hidden = middle->forward(products, first->bias, generator);
  return Features(hidden).times(second->weight);
}

std::string GinLayerImpl::text() const {
  return "gin " + widths(options_.in, options_.out) + " -> " + std::to_string(options_.out) +
         (options_.batch_norm ? " (batch norm inside)" : "") +
         (options_.trainable_eps ? " (eps trained)" : "");
}

}  // namespace hgnet
