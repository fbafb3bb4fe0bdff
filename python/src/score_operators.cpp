// Operators of EdgePooling's scores. Each is one pass over the edges and one back, because on
// batches of small graphs calls cost more than the work in them.

#include <ATen/Dispatch.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include <limits>
#include <vector>

#include "dispatched.hpp"
#include "ops/torch_version.hpp"
#include "tensors.hpp"

namespace hgnet::python {
namespace {

using detail::Size;
using detail::size_of;
using detail::to_size;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;
using Pair = std::tuple<Tensor, Tensor>;

Tensor call_softmax(const Tensor& edge_index, const Tensor& node_scores,
                    const optional<Tensor>& bias) {
  using Op = Tensor(const Tensor&, const Tensor&, const optional<Tensor>&);
  static const auto op = dispatched<Op>("hgnet::edge_softmax");
  return op.call(edge_index, node_scores, bias);
}

Pair call_softmax_backward(const Tensor& grad, const Tensor& p, const Tensor& edge_index,
                           Size num_nodes) {
  using Op = Pair(const Tensor&, const Tensor&, const Tensor&, Size);
  static const auto op = dispatched<Op>("hgnet::edge_softmax_backward");
  return op.call(grad, p, edge_index, num_nodes);
}

Tensor call_merge_scores(const Tensor& score, const Tensor& edge) {
  static const auto op = dispatched<Tensor(const Tensor&, const Tensor&)>("hgnet::merge_scores");
  return op.call(score, edge);
}

Tensor call_sum(const Tensor& x, const Tensor& index, Size count) {
  static const auto op =
      dispatched<Tensor(const Tensor&, const Tensor&, Size)>("hgnet::segment_sum");
  return op.call(x, index, count);
}

// Kernels.

Tensor softmax_kernel(const Tensor& edge_index_in, const Tensor& node_scores_in,
                      const optional<Tensor>& bias) {
  const torch::NoGradGuard no_grad;
  const Tensor node_scores =
      checked_rows("edge_score", "node_scores", node_scores_in, node_scores_in.size(0));
  TORCH_CHECK(node_scores.dim() == 2 && node_scores.size(1) == 2,
              "edge_score: node_scores must have shape [nodes, 2] (got ", node_scores.sizes(), ")");
  TORCH_CHECK(!bias.has_value() || bias->numel() == 1, "edge_score: bias must be one number (got ",
              bias.has_value() ? bias->sizes() : torch::IntArrayRef(), ")");
  const std::int64_t nodes = node_scores.size(0);
  const Tensor list = checked_edge_index("edge_score", edge_index_in, nodes);
  const std::int64_t edges = list.size(1);
  const auto* source = list.data_ptr<std::int64_t>();
  const auto* target = source + edges;
  Tensor result = torch::empty({edges}, node_scores.options().requires_grad(false));
  AT_DISPATCH_FLOATING_TYPES(node_scores.scalar_type(), "edge_score", [&] {
    const auto* by_node = node_scores.data_ptr<scalar_t>();
    const scalar_t shift = bias.has_value() ? bias->item<scalar_t>() : scalar_t{0};
    auto* p = result.data_ptr<scalar_t>();
    std::vector<scalar_t> largest(nodes, -std::numeric_limits<scalar_t>::infinity());
    for (std::int64_t e = 0; e < edges; ++e) {
      p[e] = by_node[2 * source[e]] + by_node[2 * target[e] + 1] + shift;
      if (!(p[e] <= largest[target[e]])) largest[target[e]] = p[e];  // NaN too
    }
    for (std::int64_t e = 0; e < edges; ++e) p[e] -= largest[target[e]];
    result.exp_();
    std::vector<scalar_t> sum(nodes, 0);
    for (std::int64_t e = 0; e < edges; ++e) sum[target[e]] += p[e];
    for (std::int64_t e = 0; e < edges; ++e) p[e] /= sum[target[e]];
  });
  return result;
}

Pair softmax_backward_kernel(const Tensor& grad_in, const Tensor& p_in, const Tensor& edge_index,
                             std::int64_t num_nodes) {
  const torch::NoGradGuard no_grad;
  const Tensor list = checked_edge_index("edge_score", edge_index, num_nodes);
  const std::int64_t edges = list.size(1);
  const Tensor grad = checked_rows("edge_score", "grad", grad_in, edges);
  const Tensor p = checked_rows("edge_score", "p", p_in, edges);
  const auto* source = list.data_ptr<std::int64_t>();
  const auto* target = source + edges;
  Tensor by_node = torch::zeros({num_nodes, 2}, p.options().requires_grad(false));
  Tensor bias = torch::empty({1}, by_node.options());
  AT_DISPATCH_FLOATING_TYPES(p.scalar_type(), "edge_score", [&] {
    const auto* g = grad.data_ptr<scalar_t>();
    const auto* share = p.data_ptr<scalar_t>();
    auto* to = by_node.data_ptr<scalar_t>();
    std::vector<scalar_t> mean(num_nodes, 0);  // of the gradients into a node
    for (std::int64_t e = 0; e < edges; ++e) mean[target[e]] += share[e] * g[e];
    scalar_t total = 0;
    for (std::int64_t e = 0; e < edges; ++e) {
      const scalar_t raw = share[e] * (g[e] - mean[target[e]]);
      to[2 * source[e]] += raw;
      to[2 * target[e] + 1] += raw;
      total += raw;
    }
    *bias.data_ptr<scalar_t>() = total;
  });
  return {by_node, bias};
}

Tensor merge_scores_kernel(const Tensor& score_in, const Tensor& edge_in) {
  const torch::NoGradGuard no_grad;
  const Tensor score = checked_rows("edge_contract", "score", score_in, score_in.size(0));
  TORCH_CHECK(score.dim() == 1, "edge_contract: score must be a vector (got ", score.sizes(), ")");
  const Tensor edge = checked_index("edge_contract", "edge", edge_in, -1);
  Tensor result = torch::empty({edge.size(0)}, score.options().requires_grad(false));
  AT_DISPATCH_FLOATING_TYPES(score.scalar_type(), "edge_contract", [&] {
    const auto* from = score.data_ptr<scalar_t>();
    auto* to = result.data_ptr<scalar_t>();
    for (const std::int64_t e : numbers(edge)) {
      TORCH_CHECK(e >= -1 && e < score.size(0), "edge_contract: edge ", e, " of ", score.size(0));
      *to++ = e < 0 ? scalar_t{1} : from[e];
    }
  });
  return result;
}

// Autograd. Each backward pass consists of operators that have one, too.

struct SoftmaxFunction : torch::autograd::Function<SoftmaxFunction> {
  static Tensor forward(AutogradContext* ctx, const Tensor& edge_index, const Tensor& node_scores,
                        const optional<Tensor>& bias) {
    const at::AutoDispatchBelowADInplaceOrView below;
    const Tensor p = call_softmax(edge_index, node_scores, bias);
    ctx->save_for_backward({edge_index, p});
    ctx->saved_data["nodes"] = size_of(node_scores, 0);
    if (bias.has_value()) ctx->saved_data["bias"] = bias->sizes().vec();
    return p;
  }

  static tensor_list backward(AutogradContext* ctx, const tensor_list& grads) {
    const auto saved = ctx->get_saved_variables();
    const auto [by_node, bias] =
        call_softmax_backward(grads[0], saved[1], saved[0], to_size(ctx->saved_data["nodes"]));
    const auto shape = ctx->saved_data.find("bias");
    return {Tensor(), by_node,
            shape == ctx->saved_data.end() ? Tensor() : bias.reshape(shape->second.toIntVector())};
  }
};

struct MergeScoresFunction : torch::autograd::Function<MergeScoresFunction> {
  static Tensor forward(AutogradContext* ctx, const Tensor& score, const Tensor& edge) {
    const at::AutoDispatchBelowADInplaceOrView below;
    ctx->save_for_backward({edge});
    ctx->saved_data["edges"] = size_of(score, 0);
    return call_merge_scores(score, edge);
  }

  static tensor_list backward(AutogradContext* ctx, const tensor_list& grads) {
    const Tensor edge = ctx->get_saved_variables()[0];
    return {call_sum(grads[0], edge, to_size(ctx->saved_data["edges"])), Tensor()};
  }
};

/// In one pass, or by operators that can be differentiated again.
Pair softmax_backward(const Tensor& grad, const Tensor& p, const Tensor& edge_index,
                      Size num_nodes) {
  if (!torch::GradMode::is_enabled() || !(grad.requires_grad() || p.requires_grad())) {
    const at::AutoDispatchBelowADInplaceOrView below;
    return call_softmax_backward(grad, p, edge_index, num_nodes);
  }
  static const auto gather = dispatched<Tensor(const Tensor&, const Tensor&)>("hgnet::gather_rows");
  const Tensor source = edge_index.select(0, 0);
  const Tensor target = edge_index.select(0, 1);
  const Tensor raw = p * (grad - gather.call(call_sum(p * grad, target, num_nodes), target));
  return {torch::stack({call_sum(raw, source, num_nodes), call_sum(raw, target, num_nodes)}, 1),
          raw.sum().reshape({1})};
}

// Operators made of others.

Tensor edge_score(const Tensor& edge_index, const Tensor& node_scores, const optional<Tensor>& bias,
                  double add) {
  return call_softmax(edge_index, node_scores, bias) + add;
}

Pair edge_contract(const Tensor& edge_index, const Tensor& score, Size num_nodes) {
  using Op = Pair(const Tensor&, const Tensor&, Size);
  static const auto op = dispatched<Op>("hgnet::contracted_edges");
  const auto [parent, edge] = op.call(edge_index, score, num_nodes);
  return {parent, call_merge_scores(score, edge)};
}

}  // namespace

TORCH_LIBRARY_FRAGMENT(hgnet, m) {
  m.def("edge_softmax(Tensor edge_index, Tensor node_scores, Tensor? bias) -> Tensor");
  m.def("edge_softmax_backward(Tensor grad, Tensor p, Tensor edge_index, " HGNET_SIZE
        " num_nodes) -> (Tensor, Tensor)");
  m.def("merge_scores(Tensor score, Tensor edge) -> Tensor");
  m.def(
      "edge_score(Tensor edge_index, Tensor node_scores, Tensor? bias=None, float add=0.5)"
      " -> Tensor",
      edge_score);
  m.def("edge_contract(Tensor edge_index, Tensor score, " HGNET_SIZE
        " num_nodes) -> (Tensor, Tensor)",
        edge_contract);
}

TORCH_LIBRARY_IMPL(hgnet, CPU, m) {
  m.impl("edge_softmax", softmax_kernel);
  m.impl("edge_softmax_backward", softmax_backward_kernel);
  m.impl("merge_scores", merge_scores_kernel);
}

TORCH_LIBRARY_IMPL(hgnet, Autograd, m) {
  m.impl("edge_softmax",
         [](const Tensor& edge_index, const Tensor& node_scores, const optional<Tensor>& bias) {
           return SoftmaxFunction::apply(edge_index, node_scores, bias);
         });
  m.impl("edge_softmax_backward", softmax_backward);
  m.impl("merge_scores", [](const Tensor& score, const Tensor& edge) {
    return MergeScoresFunction::apply(score, edge);
  });
}

}  // namespace hgnet::python
