#include "hgnet/ops/linear.hpp"

#include "kernels/linear.hpp"
#include "ops/common.hpp"
#include "ops/transposed.hpp"

namespace hgnet {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

constexpr std::int64_t kWidest = 256;

struct LinearFunction : torch::autograd::Function<LinearFunction> {
  static tensor_list forward(AutogradContext* ctx, const Tensor& x_in, const Tensor& weight_in) {
    const Tensor x = x_in.contiguous();
    const Tensor weight = weight_in.contiguous();
    ctx->saved_data["grad_x"] = detail::needs_gradient(x_in);
    ctx->saved_data["grad_weight"] = detail::needs_gradient(weight_in);
    ctx->save_for_backward({x, weight});
    ctx->set_materialize_grads(false);
    Tensor y = detail::empty_result({x.size(0), weight.size(0)}, x.options());
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "linear", [&] {
      const auto root = detail::transposed<scalar_t>(weight);
      kernels::linear_rows<scalar_t>({.rows = x.size(0),
                                      .in = x.size(1),
                                      .out = y.size(1),
                                      .x = x.data_ptr<scalar_t>(),
                                      .root = root.data(),
                                      .y = y.data_ptr<scalar_t>()},
                                     at::get_num_threads());
    });
    return {y, x_in};
  }

  static tensor_list backward(AutogradContext* ctx, const tensor_list& grads) {
    detail::check_differentiated_once("linear");
    const auto saved = ctx->get_saved_variables();
    const Tensor& x = saved[0];
    const Tensor& weight = saved[1];
    if (!grads[0].defined()) return {grads[1], Tensor()};
    const Tensor dy = grads[0].contiguous();
    const Tensor add = detail::contiguous_or_undefined(grads[1]);
    Tensor dx;
    Tensor dweight;
    if (ctx->saved_data["grad_x"].toBool()) dx = detail::empty_result(x.sizes(), x.options());
    if (ctx->saved_data["grad_weight"].toBool())
      dweight = torch::empty(weight.sizes(), weight.options());
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "linear", [&] {
      kernels::linear_rows<scalar_t>({.rows = dy.size(0),
                                      .in = dy.size(1),
                                      .out = x.size(1),
                                      .x = dy.data_ptr<scalar_t>(),
                                      .root = weight.data_ptr<scalar_t>(),
                                      .add = detail::data_or_null<scalar_t>(add),
                                      .y = detail::data_or_null<scalar_t>(dx),
                                      .other = x.data_ptr<scalar_t>(),
                                      .other_width = x.size(1),
                                      .own_outer = detail::data_or_null<scalar_t>(dweight)},
                                     at::get_num_threads());
    });
    return {dx, dweight};
  }
};

}  // namespace

Tensor small_linear(const Tensor& x, const Tensor& weight) {
  return small_linear_and_rows(x, weight).y;
}

ProductAndRows small_linear_and_rows(const Tensor& x, const Tensor& weight) {
  detail::check_floating("linear", "weight", weight);
  TORCH_CHECK(weight.dim() == 2, "linear: weight must have shape [out, in] (got ", weight.sizes(),
              ")");
  detail::check_floating("linear", "x", x);
  TORCH_CHECK(x.dim() == 2 && x.size(1) == weight.size(1), "linear: x must have shape [rows, ",
              weight.size(1), "] (got ", x.sizes(), ")");
  detail::check_same_type("linear", "weight", weight, x.scalar_type());
  if (weight.size(0) > kWidest || weight.size(1) > kWidest) return {x.mm(weight.t()), x};
  const tensor_list result = LinearFunction::apply(x, weight);
  return {result[0], result[1]};
}

}  // namespace hgnet
