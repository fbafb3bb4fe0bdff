#include "hgnet/ops/softmax.hpp"

#include "kernels/softmax.hpp"
#include "ops/common.hpp"

namespace hgnet {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

struct SegmentSoftmaxFunction : torch::autograd::Function<SegmentSoftmaxFunction> {
  static Tensor forward(AutogradContext* ctx, const Graph& graph, const Tensor& logits_in) {
    const Tensor logits = logits_in.contiguous();
    Tensor out = torch::empty_like(logits);
    AT_DISPATCH_FLOATING_TYPES(logits.scalar_type(), "segment_softmax", [&] {
      kernels::segment_softmax<scalar_t>(graph.csr(), logits.data_ptr<scalar_t>(),
                                         out.data_ptr<scalar_t>(), detail::row_width(logits),
                                         at::get_num_threads());
    });
    detail::keep(ctx, "graph", graph);
    ctx->save_for_backward({out});
    return out;
  }

  static tensor_list backward(AutogradContext* ctx, const tensor_list& grads) {
    detail::check_differentiated_once("segment_softmax");
    const Tensor softmax = ctx->get_saved_variables()[0];
    const Tensor grad = grads[0].contiguous();
    Tensor grad_logits = torch::empty_like(softmax);
    AT_DISPATCH_FLOATING_TYPES(softmax.scalar_type(), "segment_softmax", [&] {
      kernels::segment_softmax_backward<scalar_t>(
          detail::kept<Graph>(ctx, "graph").csr(), softmax.data_ptr<scalar_t>(),
          grad.data_ptr<scalar_t>(), grad_logits.data_ptr<scalar_t>(), detail::row_width(softmax),
          at::get_num_threads());
    });
    return {Tensor(), grad_logits};
  }
};

struct EdgeScoreFunction : torch::autograd::Function<EdgeScoreFunction> {
  static Tensor forward(AutogradContext* ctx, const Graph& graph, const Tensor& node_scores_in,
                        const torch::optional<Tensor>& bias_in) {
    const Tensor bias = detail::undefined_or(bias_in);
    const Tensor node_scores = node_scores_in.contiguous();
    Tensor p = torch::empty({graph.num_edges()}, node_scores.options());
    AT_DISPATCH_FLOATING_TYPES(node_scores.scalar_type(), "edge_score", [&] {
      kernels::edge_softmax<scalar_t>(graph.csr(), node_scores.data_ptr<scalar_t>(),
                                      bias.defined() ? bias.item<scalar_t>() : scalar_t{0},
                                      p.data_ptr<scalar_t>(), at::get_num_threads());
    });
    detail::keep(ctx, "graph", graph);
    // p, not the score: 0.5 + p has lost the digits of a small p.
    ctx->save_for_backward({p, bias});
    return p + 0.5;
  }

  static tensor_list backward(AutogradContext* ctx, const tensor_list& grads) {
    detail::check_differentiated_once("edge_score");
    const auto saved = ctx->get_saved_variables();
    const Tensor& p = saved[0];
    const Tensor& bias = saved[1];
    const auto& graph = detail::kept<Graph>(ctx, "graph");
    const Tensor grad = grads[0].contiguous();
    Tensor scratch = torch::empty_like(p);
    Tensor grad_node_scores = torch::empty({graph.num_nodes(), 2}, p.options());
    Tensor grad_bias;
    AT_DISPATCH_FLOATING_TYPES(p.scalar_type(), "edge_score", [&] {
      auto* by_node = grad_node_scores.data_ptr<scalar_t>();
      kernels::edge_softmax_backward<scalar_t>(
          graph.csr(), graph.reverse().data(), p.data_ptr<scalar_t>(), grad.data_ptr<scalar_t>(),
          scratch.data_ptr<scalar_t>(), by_node, at::get_num_threads());
      if (detail::needs_gradient(bias)) {
        // In a fixed order for any number of threads, unlike Tensor::sum.
        double sum = 0;
        for (NodeId v = 0; v < graph.num_nodes(); ++v) sum += by_node[2 * std::int64_t{v} + 1];
        grad_bias = torch::full(bias.sizes(), sum, bias.options().requires_grad(false));
      }
    });
    return {Tensor(), grad_node_scores, grad_bias};
  }
};

}  // namespace

Tensor segment_softmax(const Graph& graph, const Tensor& logits) {
  detail::check_rows("segment_softmax", "logits", logits, graph.num_edges());
  return SegmentSoftmaxFunction::apply(graph, logits);
}

Tensor edge_score(const Graph& graph, const Tensor& node_scores, const Tensor& bias) {
  detail::check_shape("edge_score", "node_scores", node_scores, {graph.num_nodes(), 2});
  if (bias.defined()) {
    detail::check_floating("edge_score", "bias", bias);
    TORCH_CHECK(bias.numel() == 1, "edge_score: bias must have one element (got ", bias.sizes(),
                ")");
  }
  return EdgeScoreFunction::apply(graph, node_scores, detail::maybe(bias));
}

}  // namespace hgnet
