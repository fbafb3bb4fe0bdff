#include "hgnet/ops/linear.hpp"

#include "kernels/linear.hpp"
#include "ops/common.hpp"
#include "ops/function.hpp"
#include "ops/transposed.hpp"

namespace hgnet {
namespace {

using detail::tensor_list;
using torch::Tensor;

constexpr std::int64_t kWidest = 256;

/// Adds the bias to every row of y.
template <class T>
void add_to_rows(const Tensor& bias, const Tensor& y) {
  const T* b = bias.data_ptr<T>();
  T* row = y.data_ptr<T>();
  const std::int64_t width = y.size(1);
  for (T* end = row + y.numel(); row != end; row += width)
    for (std::int64_t c = 0; c < width; ++c) row[c] += b[c];
}

Tensor sum_of_rows(const Tensor& y) {
  Tensor result = detail::empty({y.size(1)}, y.scalar_type());
  AT_DISPATCH_FLOATING_TYPES(y.scalar_type(), "linear", [&] {
    std::vector<double> sums(static_cast<std::size_t>(y.size(1)));
    const auto* row = y.data_ptr<scalar_t>();
    for (std::int64_t r = 0; r < y.size(0); ++r, row += sums.size())
      for (std::size_t c = 0; c < sums.size(); ++c) sums[c] += row[c];
    auto* to = result.data_ptr<scalar_t>();
    for (std::size_t c = 0; c < sums.size(); ++c) to[c] = static_cast<scalar_t>(sums[c]);
  });
  return result;
}

struct LinearFunction : detail::Function<LinearFunction> {
  static constexpr const char* kName = "linear";
  struct Kept {
    detail::Saved x;
    detail::Saved weight;
    bool grad_x = false;
    bool grad_weight = false;
    bool grad_bias = false;
  };

  static tensor_list forward(Kept& kept, const Tensor& x_in, const Tensor& weight_in,
                             const Tensor& bias_in) {
    const Tensor x = x_in.contiguous();
    const Tensor weight = weight_in.contiguous();
    kept = {x, weight, detail::needs_gradient(x_in), detail::needs_gradient(weight_in),
            detail::needs_gradient(bias_in)};
    const Tensor bias = detail::contiguous_or_undefined(bias_in);
    Tensor y = detail::empty_result({x.size(0), weight.size(0)}, x.scalar_type());
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "linear", [&] {
      const auto root = detail::transposed<scalar_t>(weight);
      kernels::linear_rows<scalar_t>({.rows = x.size(0),
                                      .in = x.size(1),
                                      .out = y.size(1),
                                      .x = x.data_ptr<scalar_t>(),
                                      .root = root.data(),
                                      .y = y.data_ptr<scalar_t>()},
                                     at::get_num_threads());
      if (bias.defined()) add_to_rows<scalar_t>(bias, y);
    });
    return {y, detail::alias(x_in)};
  }

  static tensor_list backward(const Kept& kept, const tensor_list& grads) {
    const Tensor x = kept.x.get();
    const Tensor weight = kept.weight.get();
    if (!grads[0].defined()) return {grads[1], Tensor(), Tensor()};
    Tensor dx;
    Tensor dweight;
    if (kept.grad_x) dx = grads[1].defined() ? detail::over(grads[1]) : detail::like(x);
    const Tensor dy = grads[0].contiguous();
    const Tensor add = detail::contiguous_or_undefined(grads[1]);
    if (kept.grad_weight) dweight = detail::empty(weight.sizes(), weight.scalar_type());
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
    return {dx, dweight, kept.grad_bias ? sum_of_rows(dy) : Tensor()};
  }
};

ProductAndRows product_and_rows(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  detail::check_floating("linear", "weight", weight);
  TORCH_CHECK(weight.dim() == 2, "linear: weight must have shape [out, in] (got ", weight.sizes(),
              ")");
  detail::check_floating("linear", "x", x);
  TORCH_CHECK(x.dim() == 2 && x.size(1) == weight.size(1), "linear: x must have shape [rows, ",
              weight.size(1), "] (got ", x.sizes(), ")");
  detail::check_same_type("linear", "weight", weight, x.scalar_type());
  detail::check_if_defined("linear", "bias", bias, {weight.size(0)}, x.scalar_type());
  if (weight.size(0) > kWidest || weight.size(1) > kWidest) {
    const Tensor y = x.mm(weight.t());
    return {bias.defined() ? y + bias : y, x};
  }
  const tensor_list result = LinearFunction::apply(LinearFunction::Kept(), x, weight, bias);
  return {result[0], result[1]};
}

}  // namespace

Tensor small_linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  return product_and_rows(x, weight, bias).y;
}

ProductAndRows small_linear_and_rows(const Tensor& x, const Tensor& weight) {
  return product_and_rows(x, weight, {});
}

}  // namespace hgnet
