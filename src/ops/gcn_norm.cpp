#include "hgnet/ops/gcn_norm.hpp"

#include <vector>

#include "ops/common.hpp"
#include "ops/function.hpp"

namespace hgnet {
namespace {

using detail::tensor_list;
using torch::Tensor;

/// {scale, values, diagonal}; `weights` may be undefined.
tensor_list normalise(const Graph& graph, const Tensor& weights, SelfLoopFill fill,
                      torch::ScalarType type) {
  Tensor scale = detail::empty({graph.num_nodes()}, type);
  Tensor values = detail::empty({graph.num_edges()}, type);
  Tensor diagonal = detail::empty({graph.num_nodes()}, type);
  AT_DISPATCH_FLOATING_TYPES(type, "gcn_operator", [&] {
    gcn_normalise<scalar_t>(graph.csr(), detail::data_or_null<scalar_t>(weights), graph.outside(),
                            fill, scale.data_ptr<scalar_t>(), values.data_ptr<scalar_t>(),
                            diagonal.data_ptr<scalar_t>(), at::get_num_threads());
  });
  return {scale, values, diagonal};
}

struct GcnNormFunction : detail::Function<GcnNormFunction> {
  static constexpr const char* kName = "gcn_operator";
  struct Kept {
    Graph graph;
    SelfLoopFill fill = SelfLoopFill::kOne;
    detail::Saved weights;
    Tensor scale;
  };

  static tensor_list forward(Kept& kept, const Tensor& weights_in) {
    const Tensor weights = weights_in.contiguous();
    tensor_list result = normalise(kept.graph, weights, kept.fill, weights.scalar_type());
    kept.weights = weights;
    kept.scale = result[0];
    return {result[1], result[2]};
  }

  static tensor_list backward(const Kept& kept, const tensor_list& grads) {
    const Graph& graph = kept.graph;
    const Tensor weights = kept.weights.get();
    const double fill = fill_weight(kept.fill);
    const auto or_zeros = [&](const Tensor& grad, std::int64_t size) {
      return grad.defined() ? grad.contiguous() : torch::zeros({size}, weights.scalar_type());
    };
    const Tensor grad_values = or_zeros(grads[0], graph.num_edges());
    const Tensor grad_diagonal = or_zeros(grads[1], graph.num_nodes());
    Tensor scratch = torch::empty_like(weights);
    Tensor grad_weights = torch::empty_like(weights);
    AT_DISPATCH_FLOATING_TYPES(weights.scalar_type(), "gcn_operator", [&] {
      gcn_normalise_backward<scalar_t>(
          graph.csr(), graph.reverse().data(), weights.data_ptr<scalar_t>(),
          static_cast<scalar_t>(fill), kept.scale.data_ptr<scalar_t>(),
          grad_values.data_ptr<scalar_t>(), grad_diagonal.data_ptr<scalar_t>(),
          scratch.data_ptr<scalar_t>(), grad_weights.data_ptr<scalar_t>(), at::get_num_threads());
    });
    return {grad_weights};
  }
};

/// The vector's memory as a tensor that keeps the graph, and so the vector, alive.
Tensor view(const Graph& graph, const std::vector<float>& values) {
  return at::for_blob(const_cast<float*>(values.data()), {static_cast<std::int64_t>(values.size())})
      .context(new Graph(graph), [](void* kept) { delete static_cast<Graph*>(kept); })
      .options(torch::kFloat32)
      .make_tensor();
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
  const tensor_list result =
      GcnNormFunction::apply(GcnNormFunction::Kept{graph, fill, {}, {}}, weights);
  return {graph, result[0], result[1], false};
}

}  // namespace hgnet
