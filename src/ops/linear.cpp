#include "hgnet/ops/linear.hpp"

#include "ops/common.hpp"
#include "ops/cpu/kernels.hpp"

namespace hgnet {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

constexpr std::int64_t kWidest = 256;

/// x B for contiguous x [N, k] and B [k, n].
Tensor times(const Tensor& x, const Tensor& b) {
  Tensor y = detail::empty_result({x.size(0), b.size(1)}, x.options());
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "linear", [&] {
    cpu::row_products<scalar_t>(x.size(0), b.size(0), b.size(1), x.data_ptr<scalar_t>(),
                                b.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(),
                                at::get_num_threads());
  });
  return y;
}

struct LinearFunction : torch::autograd::Function<LinearFunction> {
  static Tensor forward(AutogradContext* ctx, const Tensor& x_in, const Tensor& weight) {
    const Tensor x = x_in.contiguous();
    ctx->saved_data["grad_x"] = detail::needs_gradient(x_in);
    ctx->save_for_backward({x, weight});
    return times(x, weight.t().contiguous());
  }

  static tensor_list backward(AutogradContext* ctx, const tensor_list& grads) {
    detail::check_differentiated_once("linear");
    const auto saved = ctx->get_saved_variables();
    const Tensor& x = saved[0];
    const Tensor& weight = saved[1];
    const Tensor dy = grads[0].contiguous();
    Tensor dx;
    if (ctx->saved_data["grad_x"].toBool()) dx = times(dy, weight.contiguous());
    Tensor dweight;
    if (detail::needs_gradient(weight)) {
      dweight = torch::empty(weight.sizes(), x.options());
      AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "linear", [&] {
        cpu::outer_products<scalar_t>(x.size(0), dy.size(1), x.size(1), dy.data_ptr<scalar_t>(),
                                      x.data_ptr<scalar_t>(), dweight.data_ptr<scalar_t>(),
                                      at::get_num_threads());
      });
    }
    return {dx, dweight};
  }
};

}  // namespace

Tensor small_linear(const Tensor& x, const Tensor& weight) {
  detail::check_floating("linear", "weight", weight);
  TORCH_CHECK(weight.dim() == 2, "linear: weight must have shape [out, in] (got ", weight.sizes(),
              ")");
  detail::check_floating("linear", "x", x);
  TORCH_CHECK(x.dim() == 2 && x.size(1) == weight.size(1), "linear: x must have shape [rows, ",
              weight.size(1), "] (got ", x.sizes(), ")");
  detail::check_same_type("linear", "weight", weight, x.scalar_type());
  if (weight.size(0) > kWidest || weight.size(1) > kWidest) return x.mm(weight.t());
  return LinearFunction::apply(x, weight);
}

}  // namespace hgnet
