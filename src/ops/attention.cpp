#include "hgnet/ops/attention.hpp"

#include "kernels/attention.hpp"
#include "ops/common.hpp"

namespace hgnet {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

template <class T>
kernels::Attention<T> kernel_args(const Graph& graph, double slope, const Tensor& x,
                                  const Tensor& source, const Tensor& target) {
  const std::int64_t heads = source.size(1);
  return {graph.csr(),           heads,           x.size(1) / heads,
          static_cast<T>(slope), x.data_ptr<T>(), source.data_ptr<T>(),
          target.data_ptr<T>()};
}

struct AttentionFunction : torch::autograd::Function<AttentionFunction> {
  static Tensor forward(AutogradContext* ctx, const Graph& graph, double slope, const Tensor& x_in,
                        const Tensor& source_in, const Tensor& target_in,
                        const torch::optional<Tensor>& keep_in) {
    const Tensor x = x_in.contiguous();
    const Tensor source = source_in.contiguous();
    const Tensor target = target_in.contiguous();
    const Tensor keep = detail::contiguous_or_undefined(detail::undefined_or(keep_in));
    Tensor alpha =
        detail::empty_result({graph.num_edges() + graph.num_nodes(), source.size(1)}, x.options());
    const Tensor kept = keep.defined() ? detail::empty_result(alpha.sizes(), x.options()) : alpha;
    Tensor y = detail::empty_result(x.sizes(), x.options());
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "attention", [&] {
      kernels::attention(kernel_args<scalar_t>(graph, slope, x, source, target),
                         detail::data_or_null<scalar_t>(keep), alpha.data_ptr<scalar_t>(),
                         kept.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), at::get_num_threads());
    });
    detail::keep(ctx, "graph", graph);
    ctx->saved_data["slope"] = slope;
    ctx->save_for_backward({x, source, target, alpha, kept});
    return y;
  }

  static tensor_list backward(AutogradContext* ctx, const tensor_list& grads) {
    detail::check_differentiated_once("attention");
    const auto saved = ctx->get_saved_variables();
    const Tensor& x = saved[0];
    const Tensor& source = saved[1];
    const Tensor& target = saved[2];
    const Tensor& alpha = saved[3];
    const Tensor& kept = saved[4];
    const auto& graph = detail::kept<Graph>(ctx, "graph");
    const Tensor dy = grads[0].contiguous();
    Tensor dx = detail::empty_result(x.sizes(), x.options());
    Tensor dsource = torch::empty_like(source);
    Tensor dtarget = torch::empty_like(target);
    Tensor dlogits = detail::empty_result(alpha.sizes(), alpha.options());
    AT_DISPATCH_FLOATING_TYPES(dx.scalar_type(), "attention", [&] {
      kernels::attention_backward(
          kernel_args<scalar_t>(graph, ctx->saved_data["slope"].toDouble(), x, source, target),
          graph.reverse().data(), alpha.data_ptr<scalar_t>(), kept.data_ptr<scalar_t>(),
          dy.data_ptr<scalar_t>(),
          {dx.data_ptr<scalar_t>(), dsource.data_ptr<scalar_t>(), dtarget.data_ptr<scalar_t>(),
           dlogits.data_ptr<scalar_t>()},
          at::get_num_threads());
    });
    return {Tensor(), Tensor(), dx, dsource, dtarget, Tensor()};
  }
};

}  // namespace

Tensor attention(const Graph& graph, const Tensor& x, const Tensor& source, const Tensor& target,
                 const AttentionOptions& options) {
  detail::check_matrix("attention", "x", x, graph.num_nodes());
  detail::check_matrix("attention", "source", source, graph.num_nodes());
  const std::int64_t heads = source.size(1);
  detail::check_shape("attention", "target", target, {graph.num_nodes(), heads});
  detail::check_same_type("attention", "source", source, x.scalar_type());
  detail::check_same_type("attention", "target", target, x.scalar_type());
  TORCH_CHECK(heads > 0 && x.size(1) % heads == 0,
              "attention: the width of x must be a multiple of ", heads, " heads (got ", x.size(1),
              ")");
  detail::check_if_defined("attention", "keep", options.keep,
                           {graph.num_edges() + graph.num_nodes(), heads}, x.scalar_type());
  TORCH_CHECK(!detail::needs_gradient(options.keep),
              "attention: keep is a dropout mask and must not need a gradient");
  return AttentionFunction::apply(graph, options.negative_slope, x, source, target,
                                  detail::maybe(options.keep));
}

}  // namespace hgnet
