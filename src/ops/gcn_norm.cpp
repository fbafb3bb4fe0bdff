#include "hgnet/ops/gcn_norm.hpp"

#include <vector>

#include "ops/common.hpp"

namespace hgnet {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

/// {scale, values, diagonal}; `weights` may be undefined.
tensor_list normalise(const Graph& graph, const Tensor& weights, SelfLoopFill fill,
                      torch::ScalarType type) {
  Tensor scale = torch::empty({graph.num_nodes()}, type);
  Tensor values = torch::empty({graph.num_edges()}, type);
  Tensor diagonal = torch::empty({graph.num_nodes()}, type);
  AT_DISPATCH_FLOATING_TYPES(type, "gcn_operator", [&] {
    gcn_normalise<scalar_t>(graph.csr(), detail::data_or_null<scalar_t>(weights), graph.outside(),
                            fill, scale.data_ptr<scalar_t>(), values.data_ptr<scalar_t>(),
                            diagonal.data_ptr<scalar_t>(), at::get_num_threads());
  });
  return {scale, values, diagonal};
}

struct GcnNormFunction : torch::autograd::Function<GcnNormFunction> {
  static tensor_list forward(AutogradContext* ctx, const Graph& graph, SelfLoopFill fill,
                             const Tensor& weights_in) {
    const Tensor weights = weights_in.contiguous();
    tensor_list result = normalise(graph, weights, fill, weights.scalar_type());
    detail::keep(ctx, "graph", graph);
    detail::keep(ctx, "fill", fill);
    ctx->save_for_backward({weights, result[0]});
    return {result[1], result[2]};
  }

  static tensor_list backward(AutogradContext* ctx, const tensor_list& grads) {
    detail::check_differentiated_once("gcn_operator");
    const auto saved = ctx->get_saved_variables();
    const Tensor& weights = saved[0];
    const Tensor& scale = saved[1];
    const auto& graph = detail::kept<Graph>(ctx, "graph");
    const double fill = fill_weight(detail::kept<SelfLoopFill>(ctx, "fill"));
    const Tensor grad_values = grads[0].contiguous();
    const Tensor grad_diagonal = grads[1].contiguous();
    Tensor scratch = torch::empty_like(weights);
    Tensor grad_weights = torch::empty_like(weights);
    AT_DISPATCH_FLOATING_TYPES(weights.scalar_type(), "gcn_operator", [&] {
      gcn_normalise_backward<scalar_t>(
          graph.csr(), graph.reverse().data(), weights.data_ptr<scalar_t>(),
          static_cast<scalar_t>(fill), scale.data_ptr<scalar_t>(), grad_values.data_ptr<scalar_t>(),
          grad_diagonal.data_ptr<scalar_t>(), scratch.data_ptr<scalar_t>(),
          grad_weights.data_ptr<scalar_t>(), at::get_num_threads());
    });
    return {Tensor(), Tensor(), grad_weights};
  }
};

/// The vector's memory as a tensor that keeps the graph, and so the vector, alive.
Tensor view(const Graph& graph, const std::vector<float>& values) {
  return torch::from_blob(
      const_cast<float*>(values.data()), {static_cast<std::int64_t>(values.size())},
      [graph](void*) {}, torch::kFloat32);
}

}  // namespace

SparseOperator gcn_operator(const Graph& graph, SelfLoopFill fill, torch::ScalarType type) {
  TORCH_CHECK(type == torch::kFloat32 || type == torch::kFloat64,
              "gcn_operator: type must be float32 or float64 (got ", type, ")");
  if (type == torch::kFloat32) {
    const GcnNormalisation& gcn = graph.gcn_normalisation(fill);
    return {graph, view(graph, gcn.values), view(graph, gcn.diagonal), true};
  }
  Tensor weights;
  if (graph.has_weights()) {
    check_degrees(graph.csr(), graph.weights(), graph.outside(), fill);
    weights = torch::from_blob(const_cast<float*>(graph.weights().data()), {graph.num_edges()},
                               torch::kFloat32)
                  .to(type);
  }
  const tensor_list result = normalise(graph, weights, fill, type);
  return {graph, result[1], result[2], true};
}

SparseOperator gcn_operator(const Graph& graph, const Tensor& weights, SelfLoopFill fill) {
  detail::check_shape("gcn_operator", "weights", weights, {graph.num_edges()});
  TORCH_CHECK(fill != SelfLoopFill::kNone,
              "gcn_operator: weights given as a tensor need self-loops (SelfLoopFill)");
  const tensor_list result = GcnNormFunction::apply(graph, fill, weights);
  return {graph, result[0], result[1], false};
}

}  // namespace hgnet
