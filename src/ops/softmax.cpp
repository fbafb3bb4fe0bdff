#include "hgnet/ops/softmax.hpp"

#include "kernels/softmax.hpp"
#include "ops/common.hpp"
#include "ops/function.hpp"

namespace hgnet {
namespace {

using detail::tensor_list;
using torch::Tensor;

struct SegmentSoftmaxFunction : detail::Function<SegmentSoftmaxFunction> {
  static constexpr const char* kName = "segment_softmax";
  struct Kept {
    Graph graph;
    detail::Saved softmax;
  };

  static Tensor forward(Kept& kept, const Tensor& logits_in) {
    const Tensor logits = logits_in.contiguous();
    Tensor out = detail::empty_result(logits.sizes(), logits.scalar_type());
    AT_DISPATCH_FLOATING_TYPES(logits.scalar_type(), "segment_softmax", [&] {
      kernels::segment_softmax<scalar_t>(kept.graph.csr(), logits.data_ptr<scalar_t>(),
                                         out.data_ptr<scalar_t>(), detail::row_width(logits),
                                         at::get_num_threads());
    });
    kept.softmax = detail::alias(out);
    return out;
  }

  static tensor_list backward(const Kept& kept, const tensor_list& grads) {
    const Tensor softmax = kept.softmax.get();
    const Tensor grad = grads[0].contiguous();
    Tensor grad_logits = detail::empty_result(softmax.sizes(), softmax.scalar_type());
    AT_DISPATCH_FLOATING_TYPES(softmax.scalar_type(), "segment_softmax", [&] {
      kernels::segment_softmax_backward<scalar_t>(
          kept.graph.csr(), softmax.data_ptr<scalar_t>(), grad.data_ptr<scalar_t>(),
          grad_logits.data_ptr<scalar_t>(), detail::row_width(softmax), at::get_num_threads());
    });
    return {grad_logits};
  }
};

struct EdgeScoreFunction : detail::Function<EdgeScoreFunction> {
  static constexpr const char* kName = "edge_score";
  struct Kept {
    Graph graph;
    Tensor p;  // not the score: 0.5 + p has lost the digits of a small p
    bool grad_bias = false;
  };

  static Tensor forward(Kept& kept, const Tensor& node_scores_in, const Tensor& bias) {
    const Tensor node_scores = node_scores_in.contiguous();
    const EdgeId edges = kept.graph.num_edges();
    kept.p = detail::empty_result({edges}, node_scores.scalar_type());
    kept.grad_bias = detail::needs_gradient(bias);
    Tensor scores = detail::empty_result({edges}, node_scores.scalar_type());
    AT_DISPATCH_FLOATING_TYPES(node_scores.scalar_type(), "edge_score", [&] {
      auto* p = kept.p.data_ptr<scalar_t>();
      kernels::edge_softmax<scalar_t>(kept.graph.csr(), node_scores.data_ptr<scalar_t>(),
                                      bias.defined() ? *bias.data_ptr<scalar_t>() : scalar_t{0}, p,
                                      at::get_num_threads());
      auto* score = scores.data_ptr<scalar_t>();
      for (EdgeId s = 0; s < edges; ++s) score[s] = p[s] + scalar_t{0.5};
    });
    return scores;
  }

  static tensor_list backward(const Kept& kept, const tensor_list& grads) {
    const Graph& graph = kept.graph;
    const auto type = kept.p.scalar_type();
    const Tensor grad = grads[0].contiguous();
    Tensor grad_node_scores = detail::empty({graph.num_nodes(), 2}, type);
    Tensor grad_bias;
    AT_DISPATCH_FLOATING_TYPES(type, "edge_score", [&] {
      std::vector<scalar_t> scratch(static_cast<std::size_t>(graph.num_edges()));
      auto* by_node = grad_node_scores.data_ptr<scalar_t>();
      kernels::edge_softmax_backward<scalar_t>(
          graph.csr(), graph.reverse().data(), kept.p.data_ptr<scalar_t>(),
          grad.data_ptr<scalar_t>(), scratch.data(), by_node, at::get_num_threads());
      if (!kept.grad_bias) return;
      // In a fixed order for any number of threads, unlike Tensor::sum.
      double sum = 0;
      for (NodeId v = 0; v < graph.num_nodes(); ++v) sum += by_node[2 * std::int64_t{v} + 1];
      grad_bias = detail::empty({1}, type);
      *grad_bias.data_ptr<scalar_t>() = static_cast<scalar_t>(sum);
    });
    return {grad_node_scores, grad_bias};
  }
};

}  // namespace

Tensor segment_softmax(const Graph& graph, const Tensor& logits) {
  detail::check_rows("segment_softmax", "logits", logits, graph.num_edges());
  return SegmentSoftmaxFunction::apply(SegmentSoftmaxFunction::Kept{graph, {}}, logits);
}

Tensor edge_score(const Graph& graph, const Tensor& node_scores, const Tensor& bias) {
  detail::check_shape("edge_score", "node_scores", node_scores, {graph.num_nodes(), 2});
  if (bias.defined()) {
    detail::check_floating("edge_score", "bias", bias);
    TORCH_CHECK(bias.numel() == 1, "edge_score: bias must have one element (got ", bias.sizes(),
                ")");
  }
  return EdgeScoreFunction::apply(EdgeScoreFunction::Kept{graph, {}, false}, node_scores, bias);
}

}  // namespace hgnet
