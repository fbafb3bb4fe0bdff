// The operators torch.ops.hgnet.*: the library's ops on tensors as PyTorch Geometric has them. Each
// has a kernel and, where it has a gradient, an autograd function whose backward consists of
// operators again, so that compilers can look through it.

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include <algorithm>

#include "classes.hpp"
#include "dispatched.hpp"
#include "edge_list.hpp"
#include "hgnet/coarsening/contraction.hpp"
#include "hgnet/coarsening/louvain.hpp"
#include "hgnet/coarsening/matching.hpp"
#include "hgnet/coarsening/top_k.hpp"
#include "hgnet/ops/segment.hpp"
#include "hgnet/ops/spmm.hpp"
#include "ops/torch_version.hpp"
#include "tensors.hpp"

namespace hgnet::python {
namespace {

using detail::Size;
using detail::size_of;
using detail::to_size;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;
using GraphPointer = c10::intrusive_ptr<GraphObject>;
using SegmentOp = Tensor(const Tensor&, const Tensor&, Size);

// Calls through the dispatcher.
Tensor call_gather(const Tensor& x, const Tensor& index) {
  static const auto op = dispatched<Tensor(const Tensor&, const Tensor&)>("hgnet::gather_rows");
  return op.call(x, index);
}

Tensor call_segment(const char* name, const Tensor& x, const Tensor& index, const Size& count) {
  return dispatched<SegmentOp>(name).call(x, index, count);
}

Tensor call_spmm(const Tensor& edge_index, const optional<Tensor>& values, const Tensor& x) {
  using Op = Tensor(const Tensor&, const optional<Tensor>&, const Tensor&);
  static const auto op = dispatched<Op>("hgnet::spmm");
  return op.call(edge_index, values, x);
}

Tensor call_edge_dots(const Tensor& edge_index, const Tensor& target, const Tensor& source) {
  static const auto op =
      dispatched<Tensor(const Tensor&, const Tensor&, const Tensor&)>("hgnet::edge_dots");
  return op.call(edge_index, target, source);
}

Tensor call_segment_max_backward(const Tensor& grad, const Tensor& x, const Tensor& index,
                                 const Size& count) {
  using Op = Tensor(const Tensor&, const Tensor&, const Tensor&, Size);
  static const auto op = dispatched<Op>("hgnet::segment_max_backward");
  return op.call(grad, x, index, count);
}

Tensor call_graph_spmm(const GraphPointer& graph, const optional<Tensor>& values, const Tensor& x,
                       bool transpose) {
  using Op = Tensor(const GraphPointer&, const optional<Tensor>&, const Tensor&, bool);
  static const auto op = dispatched<Op>("hgnet::spmm", "graph");
  return op.call(graph, values, x, transpose);
}

/// A factor for each row of x.
Tensor times_rows(const Tensor& x, const Tensor& factor) {
  return x * (x.dim() == 1 ? factor : factor.unsqueeze(1));
}

// Kernels.

Tensor gather_kernel(const Tensor& x, const Tensor& index) {
  const torch::NoGradGuard no_grad;
  return rows_by_index(x, index);
}

Tensor segment_sum_kernel(const Tensor& x, const Tensor& index, std::int64_t count) {
  const torch::NoGradGuard no_grad;
  if (x.dim() == 1) return sum_by_index(x, index, count);
  return segment_sum(x, to_map("segment_sum", index, count));
}

Tensor segment_mean_kernel(const Tensor& x, const Tensor& index, std::int64_t count) {
  const torch::NoGradGuard no_grad;
  return segment_mean(x, to_map("segment_mean", index, count));
}

Tensor segment_max_kernel(const Tensor& x, const Tensor& index, std::int64_t count) {
  const torch::NoGradGuard no_grad;
  return segment_max(x, to_map("segment_max", index, count));
}

/// The library's own gradient, which finds the largest rows again.
Tensor segment_max_backward_kernel(const Tensor& grad, const Tensor& x, const Tensor& index,
                                   std::int64_t count) {
  const torch::AutoGradMode with_grad(true);
  const Tensor rows = x.detach().requires_grad_();
  const Tensor y = segment_max(rows, to_map("segment_max", index, count));
  return torch::autograd::grad({y}, {rows}, {grad.detach()})[0];
}

Tensor segment_softmax_kernel(const Tensor& logits, const Tensor& index, std::int64_t count) {
  const torch::NoGradGuard no_grad;
  return softmax_by_index(logits, index, count);
}

Tensor edge_values(const optional<Tensor>& values, std::int64_t edges, const Tensor& x) {
  if (!values.has_value()) return {};
  const Tensor rows = checked_rows("spmm", "values", *values, edges);
  TORCH_CHECK(rows.dim() == 1 && rows.scalar_type() == x.scalar_type(),
              "spmm: values must have shape [", edges, "] and the type of x, ", x.scalar_type(),
              " (got ", rows.sizes(), ", ", rows.scalar_type(), ")");
  return rows;
}

Tensor graph_spmm_kernel(const GraphPointer& graph, const optional<Tensor>& values, const Tensor& x,
                         bool transpose) {
  const torch::NoGradGuard no_grad;
  Tensor by_slot = graph->by_slot(edge_values(values, graph->slot.size(0), x), x.scalar_type());
  if (by_slot.defined() && transpose) {
    const auto reverse = graph->graph.reverse();
    by_slot = by_slot.index_select(0, to_tensor(reverse));
  }
  return spmm({graph->graph, by_slot, {}, /*symmetric=*/false}, x);
}

Tensor spmm_kernel(const Tensor& edge_index, const optional<Tensor>& values, const Tensor& x) {
  TORCH_CHECK(x.dim() == 2, "spmm: x must have shape [nodes, channels] (got ", x.sizes(), ")");
  const auto graph = c10::make_intrusive<GraphObject>(edge_index, x.size(0), optional<Tensor>(),
                                                      optional<Tensor>());
  return graph_spmm_kernel(graph, values, x, /*transpose=*/false);
}

Tensor edge_dots_kernel(const Tensor& edge_index, const Tensor& target_in,
                        const Tensor& source_in) {
  const Tensor list = checked_edge_index("edge_dots", edge_index, target_in.size(0));
  const Tensor target = checked_rows("edge_dots", "target", target_in, target_in.size(0));
  const Tensor source = checked_rows("edge_dots", "source", source_in, target_in.size(0));
  TORCH_CHECK(target.sizes() == source.sizes() && target.scalar_type() == source.scalar_type(),
              "edge_dots: target and source must have one shape and type (got ", target.sizes(),
              " and ", source.sizes(), ")");
  const std::int64_t edges = list.size(1);
  const std::int64_t width = target.dim() == 1 ? 1 : target.size(1);
  Tensor dots = torch::empty({edges}, target.options().requires_grad(false));
  AT_DISPATCH_FLOATING_TYPES(target.scalar_type(), "edge_dots", [&] {
    const auto* ids = list.data_ptr<std::int64_t>();
    const auto* to = target.data_ptr<scalar_t>();
    const auto* from = source.data_ptr<scalar_t>();
    auto* out = dots.data_ptr<scalar_t>();
    at::parallel_for(0, edges, 2048, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t e = begin; e < end; ++e) {
        scalar_t sum = 0;
        for (std::int64_t c = 0; c < width; ++c)
          sum += to[ids[edges + e] * width + c] * from[ids[e] * width + c];
        out[e] = sum;
      }
    });
  });
  return dots;
}

// Autograd.

struct GatherFunction : torch::autograd::Function<GatherFunction> {
  static Tensor forward(AutogradContext* ctx, const Tensor& x, const Tensor& index) {
    const at::AutoDispatchBelowADInplaceOrView below;
    ctx->save_for_backward({index});
    ctx->saved_data["rows"] = size_of(x, 0);
    return call_gather(x, index);
  }

  static tensor_list backward(AutogradContext* ctx, const tensor_list& grads) {
    const Tensor index = ctx->get_saved_variables()[0];
    return {call_segment("hgnet::segment_sum", grads[0], index, to_size(ctx->saved_data["rows"])),
            Tensor()};
  }
};

struct SegmentSumFunction : torch::autograd::Function<SegmentSumFunction> {
  static Tensor forward(AutogradContext* ctx, const Tensor& x, const Tensor& index,
                        const Size& count) {
    const at::AutoDispatchBelowADInplaceOrView below;
    ctx->save_for_backward({index});
    return call_segment("hgnet::segment_sum", x, index, count);
  }

  static tensor_list backward(AutogradContext* ctx, const tensor_list& grads) {
    return {call_gather(grads[0], ctx->get_saved_variables()[0]), Tensor(), Tensor()};
  }
};

struct SegmentMeanFunction : torch::autograd::Function<SegmentMeanFunction> {
  static Tensor forward(AutogradContext* ctx, const Tensor& x, const Tensor& index,
                        const Size& count) {
    const at::AutoDispatchBelowADInplaceOrView below;
    ctx->save_for_backward({index});
    ctx->saved_data["count"] = count;
    return call_segment("hgnet::segment_mean", x, index, count);
  }

  static tensor_list backward(AutogradContext* ctx, const tensor_list& grads) {
    const Tensor index = ctx->get_saved_variables()[0];
    const Tensor sizes =
        call_segment("hgnet::segment_sum", torch::ones_like(index, grads[0].options()), index,
                     to_size(ctx->saved_data["count"]));
    const Tensor shares = times_rows(grads[0], sizes.clamp_min(1).reciprocal());
    return {call_gather(shares, index), Tensor(), Tensor()};
  }
};

struct SegmentMaxFunction : torch::autograd::Function<SegmentMaxFunction> {
  static Tensor forward(AutogradContext* ctx, const Tensor& x, const Tensor& index,
                        const Size& count) {
    const at::AutoDispatchBelowADInplaceOrView below;
    ctx->save_for_backward({x, index});
    ctx->saved_data["count"] = count;
    return call_segment("hgnet::segment_max", x, index, count);
  }

  static tensor_list backward(AutogradContext* ctx, const tensor_list& grads) {
    const auto saved = ctx->get_saved_variables();
    return {
        call_segment_max_backward(grads[0], saved[0], saved[1], to_size(ctx->saved_data["count"])),
        Tensor(), Tensor()};
  }
};

/// dx = the gradient where x is its segment's largest, else 0. It is linear in the gradient, and x
/// only chooses.
struct SegmentMaxBackwardFunction : torch::autograd::Function<SegmentMaxBackwardFunction> {
  static Tensor forward(AutogradContext* ctx, const Tensor& grad, const Tensor& x,
                        const Tensor& index, const Size& count) {
    const at::AutoDispatchBelowADInplaceOrView below;
    ctx->save_for_backward({grad, x, index});
    ctx->saved_data["count"] = count;
    return call_segment_max_backward(grad, x, index, count);
  }

  static tensor_list backward(AutogradContext* ctx, const tensor_list& grads) {
    const auto saved = ctx->get_saved_variables();
    const Size count = to_size(ctx->saved_data["count"]);
    const Tensor chosen =
        call_segment_max_backward(torch::ones_like(saved[0]), saved[1], saved[2], count);
    return {call_segment("hgnet::segment_sum", grads[0] * chosen, saved[2], count), Tensor(),
            Tensor(), Tensor()};
  }
};

struct SegmentSoftmaxFunction : torch::autograd::Function<SegmentSoftmaxFunction> {
  static Tensor forward(AutogradContext* ctx, const Tensor& logits, const Tensor& index,
                        const Size& count) {
    const at::AutoDispatchBelowADInplaceOrView below;
    const Tensor p = call_segment("hgnet::segment_softmax", logits, index, count);
    ctx->save_for_backward({p, index});
    ctx->saved_data["count"] = count;
    return p;
  }

  static tensor_list backward(AutogradContext* ctx, const tensor_list& grads) {
    const auto saved = ctx->get_saved_variables();
    const Tensor weighted = saved[0] * grads[0];
    const Tensor sums =
        call_segment("hgnet::segment_sum", weighted, saved[1], to_size(ctx->saved_data["count"]));
    return {weighted - saved[0] * call_gather(sums, saved[1]), Tensor(), Tensor()};
  }
};

struct SpmmFunction : torch::autograd::Function<SpmmFunction> {
  static Tensor forward(AutogradContext* ctx, const Tensor& edge_index,
                        const optional<Tensor>& values, const Tensor& x) {
    const at::AutoDispatchBelowADInplaceOrView below;
    ctx->save_for_backward({edge_index, values.value_or(Tensor()), x});
    return call_spmm(edge_index, values, x);
  }

  static tensor_list backward(AutogradContext* ctx, const tensor_list& grads) {
    const auto saved = ctx->get_saved_variables();
    const Tensor& values = saved[1];
    const optional<Tensor> maybe = values.defined() ? optional<Tensor>(values) : torch::nullopt;
    return {Tensor(), values.defined() ? call_edge_dots(saved[0], grads[0], saved[2]) : Tensor(),
            call_spmm(saved[0].flip(0), maybe, grads[0])};
  }
};

/// d_e = t_v . s_u for the edge e = u -> v: dt = spmm of s, ds = spmm of t over the edges turned
/// round, both with dd as values.
struct EdgeDotsFunction : torch::autograd::Function<EdgeDotsFunction> {
  static Tensor forward(AutogradContext* ctx, const Tensor& edge_index, const Tensor& target,
                        const Tensor& source) {
    const at::AutoDispatchBelowADInplaceOrView below;
    ctx->save_for_backward({edge_index, target, source});
    return call_edge_dots(edge_index, target, source);
  }

  static tensor_list backward(AutogradContext* ctx, const tensor_list& grads) {
    const auto saved = ctx->get_saved_variables();
    const auto sum = [&](const Tensor& edge_index, const Tensor& x) {
      return x.dim() == 1 ? call_spmm(edge_index, grads[0], x.unsqueeze(1)).squeeze(1)
                          : call_spmm(edge_index, grads[0], x);
    };
    return {Tensor(), sum(saved[0], saved[2]), sum(saved[0].flip(0), saved[1])};
  }
};

struct GraphSpmmFunction : torch::autograd::Function<GraphSpmmFunction> {
  static Tensor forward(AutogradContext* ctx, const GraphPointer& graph,
                        const optional<Tensor>& values, const Tensor& x, bool transpose) {
    const at::AutoDispatchBelowADInplaceOrView below;
    ctx->saved_data["graph"] = graph;
    ctx->saved_data["transpose"] = transpose;
    ctx->save_for_backward({values.value_or(Tensor()), x});
    return call_graph_spmm(graph, values, x, transpose);
  }

  static tensor_list backward(AutogradContext* ctx, const tensor_list& grads) {
    const auto saved = ctx->get_saved_variables();
    const auto graph = ctx->saved_data["graph"].toCustomClass<GraphObject>();
    const bool transpose = ctx->saved_data["transpose"].toBool();
    const Tensor& values = saved[0];
    Tensor dvalues;
    if (values.defined()) {
      const Tensor edges = to_edge_index(graph->graph).index_select(1, graph->slot);
      dvalues = transpose ? call_edge_dots(edges, saved[1], grads[0])
                          : call_edge_dots(edges, grads[0], saved[1]);
    }
    const optional<Tensor> maybe = values.defined() ? optional<Tensor>(values) : torch::nullopt;
    return {Tensor(), dvalues, call_graph_spmm(graph, maybe, grads[0], !transpose), Tensor()};
  }
};

// Static coarsenings.

Tensor louvain_of(const GraphPointer& graph, std::int64_t seed, bool best) {
  LouvainOptions options;
  options.seed = static_cast<std::uint64_t>(seed);
  options.weights = graph->graph.has_weights() ? EdgeWeights::kOwn : EdgeWeights::kUnit;
  options.partition = best ? Partition::kBest : Partition::kFirstPass;
  return to_tensor(louvain(graph->graph, options).parents());
}

Tensor heavy_edge_of(const GraphPointer& graph, std::int64_t seed) {
  return to_tensor(
      heavy_edge_matching(graph->graph, static_cast<std::uint64_t>(seed)).parent.parents());
}

std::tuple<Tensor, Tensor> squared_graph_of(const GraphPointer& graph) {
  const Graph squared = squared_graph(graph->graph);
  return {to_edge_index(squared), to_weights(squared)};
}

GraphPointer object(const Tensor& edge_index, std::int64_t num_nodes,
                    const optional<Tensor>& weight) {
  return c10::make_intrusive<GraphObject>(edge_index, num_nodes, weight, optional<Tensor>());
}

Tensor louvain_kernel(const Tensor& edge_index, std::int64_t num_nodes,
                      const optional<Tensor>& weight, std::int64_t seed, bool best) {
  return louvain_of(object(edge_index, num_nodes, weight), seed, best);
}

Tensor heavy_edge_kernel(const Tensor& edge_index, std::int64_t num_nodes,
                         const optional<Tensor>& weight, std::int64_t seed) {
  return heavy_edge_of(object(edge_index, num_nodes, weight), seed);
}

std::tuple<Tensor, Tensor> squared_graph_kernel(const Tensor& edge_index, std::int64_t num_nodes,
                                                const optional<Tensor>& weight) {
  return squared_graph_of(object(edge_index, num_nodes, weight));
}

Tensor top_k_kernel(const Tensor& score_in, const optional<Tensor>& batch, double keep) {
  const Tensor score = checked_rows("top_k", "score", score_in, score_in.size(0));
  TORCH_CHECK(score.dim() == 1, "top_k: score must have shape [nodes] (got ", score.sizes(), ")");
  TORCH_CHECK(keep > 0, "top_k: keep must be a share up to 1 or a count (got ", keep, ")");
  const Tensor graphs = batch.has_value() ? checked_index("top_k", "batch", *batch, score.size(0))
                                          : torch::zeros({score.size(0)}, torch::kLong);
  const std::int64_t count = graphs.numel() == 0 ? 0 : graphs.max().item<std::int64_t>() + 1;
  const ParentMap map = to_map("top_k", graphs, count);
  Tensor parent;
  AT_DISPATCH_FLOATING_TYPES(score.scalar_type(), "top_k", [&] {
    const std::span<const scalar_t> scores{score.data_ptr<scalar_t>(),
                                           static_cast<std::size_t>(score.numel())};
    parent = to_tensor(top_k<scalar_t>(scores, map, keep_of(keep)).parents());
  });
  return parent;
}

}  // namespace

TORCH_LIBRARY(hgnet, m) {
  register_graph(m);
  register_model(m);
  register_dataset(m);

  m.def("gather_rows(Tensor x, Tensor index) -> Tensor");
  m.def("segment_sum(Tensor x, Tensor index, " HGNET_SIZE " num_segments) -> Tensor");
  m.def("segment_mean(Tensor x, Tensor index, " HGNET_SIZE " num_segments) -> Tensor");
  m.def("segment_max(Tensor x, Tensor index, " HGNET_SIZE " num_segments) -> Tensor");
  m.def("segment_max_backward(Tensor grad, Tensor x, Tensor index, " HGNET_SIZE
        " num_segments) -> Tensor");
  m.def("segment_softmax(Tensor logits, Tensor index, " HGNET_SIZE " num_segments) -> Tensor");
  m.def("spmm(Tensor edge_index, Tensor? values, Tensor x) -> Tensor");
  m.def(
      "spmm.graph(__torch__.torch.classes.hgnet.Graph graph, Tensor? values, Tensor x, "
      "bool transpose=False) -> Tensor");
  m.def("edge_dots(Tensor edge_index, Tensor target, Tensor source) -> Tensor");
  m.def("contracted_edges(Tensor edge_index, Tensor score, " HGNET_SIZE
        " num_nodes) -> (Tensor, Tensor)");
  m.def("coarse_graph(Tensor edge_index, Tensor parent, " HGNET_SIZE
        " num_parents, bool self_loops=True)"
        " -> (Tensor, Tensor)");
  m.def("louvain(Tensor edge_index, " HGNET_SIZE
        " num_nodes, Tensor? weight=None, int seed=0, "
        "bool best=False) -> Tensor");
  m.def("heavy_edge(Tensor edge_index, " HGNET_SIZE
        " num_nodes, Tensor? weight=None, int seed=0)"
        " -> Tensor");
  m.def("squared_graph(Tensor edge_index, " HGNET_SIZE
        " num_nodes, Tensor? weight=None) -> (Tensor, Tensor)");
  m.def("top_k(Tensor score, Tensor? batch=None, float keep=0.5) -> Tensor");

  m.def(
      "louvain.graph(__torch__.torch.classes.hgnet.Graph graph, int seed=0, bool best=False)"
      " -> Tensor",
      louvain_of);
  m.def("heavy_edge.graph(__torch__.torch.classes.hgnet.Graph graph, int seed=0) -> Tensor",
        heavy_edge_of);
  m.def("squared_graph.graph(__torch__.torch.classes.hgnet.Graph graph) -> (Tensor, Tensor)",
        squared_graph_of);
}

TORCH_LIBRARY_IMPL(hgnet, CPU, m) {
  m.impl("gather_rows", gather_kernel);
  m.impl("segment_sum", segment_sum_kernel);
  m.impl("segment_mean", segment_mean_kernel);
  m.impl("segment_max", segment_max_kernel);
  m.impl("segment_max_backward", segment_max_backward_kernel);
  m.impl("segment_softmax", segment_softmax_kernel);
  m.impl("spmm", spmm_kernel);
  m.impl("spmm.graph", graph_spmm_kernel);
  m.impl("edge_dots", edge_dots_kernel);
  m.impl("contracted_edges", contract_edge_list);
  m.impl("coarse_graph", coarse_edge_list);
  m.impl("louvain", louvain_kernel);
  m.impl("heavy_edge", heavy_edge_kernel);
  m.impl("squared_graph", squared_graph_kernel);
  m.impl("top_k", top_k_kernel);
}

TORCH_LIBRARY_IMPL(hgnet, Autograd, m) {
  m.impl("gather_rows",
         [](const Tensor& x, const Tensor& index) { return GatherFunction::apply(x, index); });
  m.impl("segment_sum", [](const Tensor& x, const Tensor& index, Size count) {
    return SegmentSumFunction::apply(x, index, count);
  });
  m.impl("segment_mean", [](const Tensor& x, const Tensor& index, Size count) {
    return SegmentMeanFunction::apply(x, index, count);
  });
  m.impl("segment_max", [](const Tensor& x, const Tensor& index, Size count) {
    return SegmentMaxFunction::apply(x, index, count);
  });
  m.impl("segment_max_backward",
         [](const Tensor& grad, const Tensor& x, const Tensor& index, Size count) {
           return SegmentMaxBackwardFunction::apply(grad, x, index, count);
         });
  m.impl("segment_softmax", [](const Tensor& logits, const Tensor& index, Size count) {
    return SegmentSoftmaxFunction::apply(logits, index, count);
  });
  m.impl("spmm", [](const Tensor& edge_index, const optional<Tensor>& values, const Tensor& x) {
    return SpmmFunction::apply(edge_index, values, x);
  });
  m.impl("edge_dots", [](const Tensor& edge_index, const Tensor& target, const Tensor& source) {
    return EdgeDotsFunction::apply(edge_index, target, source);
  });
  m.impl("spmm.graph",
         [](const GraphPointer& graph, const optional<Tensor>& values, const Tensor& x,
            bool transpose) { return GraphSpmmFunction::apply(graph, values, x, transpose); });
}

}  // namespace hgnet::python
