// Operators of EdgePooling on whole rows, where most of its time goes. The product is the library's
// own, because that of libtorch depends on the BLAS it is linked with.

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include <vector>

#include "dispatched.hpp"
#include "edge_list.hpp"
#include "hgnet/ops/linear.hpp"
#include "kernels/gather.hpp"
#include "kernels/linear.hpp"
#include "ops/parent_rows.hpp"
#include "tensors.hpp"

namespace hgnet::python {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;
using Pair = std::tuple<Tensor, Tensor>;

Tensor call_linear(const Tensor& x, const Tensor& weight) {
  static const auto op = dispatched<Tensor(const Tensor&, const Tensor&)>("hgnet::linear");
  return op.call(x, weight);
}

Tensor call_row_products(const Tensor& a, const Tensor& b) {
  static const auto op = dispatched<Tensor(const Tensor&, const Tensor&)>("hgnet::row_products");
  return op.call(a, b);
}

Pair call_merge_backward(const Tensor& grad, const Tensor& x, const Tensor& parent,
                         const Tensor& score, bool of_rows) {
  static const auto op =
      dispatched<Pair(const Tensor&, const Tensor&, const Tensor&, const Tensor&, bool)>(
          "hgnet::merge_rows_backward");
  return op.call(grad, x, parent, score, of_rows);
}

// Kernels.

Tensor linear_kernel(const Tensor& x, const Tensor& weight) {
  const torch::NoGradGuard no_grad;
  return small_linear(x, weight);
}

/// a^T b.
Tensor row_products_kernel(const Tensor& a_in, const Tensor& b_in) {
  const Tensor a = checked_rows("row_products", "a", a_in, a_in.size(0));
  const Tensor b = checked_rows("row_products", "b", b_in, a_in.size(0));
  TORCH_CHECK(a.dim() == 2 && b.dim() == 2 && a.scalar_type() == b.scalar_type(),
              "row_products: a and b must be matrices of one type (got ", a.sizes(), " and ",
              b.sizes(), ")");
  Tensor sums = torch::empty({a.size(1), b.size(1)}, a.options().requires_grad(false));
  AT_DISPATCH_FLOATING_TYPES(a.scalar_type(), "row_products", [&] {
    kernels::linear_rows<scalar_t>({.rows = a.size(0),
                                    .in = a.size(1),
                                    .x = a.data_ptr<scalar_t>(),
                                    .other = b.data_ptr<scalar_t>(),
                                    .other_width = b.size(1),
                                    .own_outer = sums.data_ptr<scalar_t>()},
                                   at::get_num_threads());
  });
  return sums;
}

void check_merge(const Tensor& x, const Tensor& score) {
  TORCH_CHECK(
      x.dim() == 2 && score.dim() == 1 && x.scalar_type() == score.scalar_type(),
      "merge_rows: x must have shape [nodes, channels] and score [coarse nodes], of one type "
      "(got ",
      x.sizes(), " ", x.scalar_type(), " and ", score.sizes(), " ", score.scalar_type(), ")");
}

Tensor merge_kernel(const Tensor& x_in, const Tensor& parent, const Tensor& score_in) {
  const torch::NoGradGuard no_grad;
  const Tensor x = checked_rows("merge_rows", "x", x_in, parent.size(0));
  const Tensor score = checked_rows("merge_rows", "score", score_in, score_in.size(0));
  check_merge(x, score);
  return detail::sum_of_members(x, to_map("merge_rows", parent, score.size(0)), score);
}

/// Without `of_rows` the first has no rows.
Pair merge_backward_kernel(const Tensor& grad_in, const Tensor& x_in, const Tensor& parent,
                           const Tensor& score_in, bool of_rows) {
  const torch::NoGradGuard no_grad;
  const Tensor x = checked_rows("merge_rows", "x", x_in, parent.size(0));
  const Tensor score = checked_rows("merge_rows", "score", score_in, score_in.size(0));
  const Tensor grad = checked_rows("merge_rows", "grad", grad_in, score.size(0));
  check_merge(x, score);
  const Tensor index = checked_index("merge_rows", "parent", parent, x.size(0));
  const auto ids = numbers(index);
  const auto wrong = first_outside(ids, -1, score.size(0));
  TORCH_CHECK(wrong == ids.end(), "merge_rows: parent ", *wrong, " of ", score.size(0));
  static_assert(kNoNode == -1);
  const std::vector<NodeId> parents(ids.begin(), ids.end());
  Tensor dx = torch::empty({of_rows ? x.size(0) : 0, x.size(1)}, x.options());
  Tensor dots = torch::zeros({x.size(0)}, x.options());  // of each row with its parent's gradient
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "merge_rows", [&] {
    kernels::gather_rows<scalar_t>({.parent = parents.data(),
                                    .num_rows = x.size(0),
                                    .channels = x.size(1),
                                    .scale = score.data_ptr<scalar_t>(),
                                    .x = grad.data_ptr<scalar_t>(),
                                    .y = of_rows ? dx.data_ptr<scalar_t>() : nullptr,
                                    .own = x.data_ptr<scalar_t>(),
                                    .dot = dots.data_ptr<scalar_t>()},
                                   at::get_num_threads());
  });
  return {dx, sum_by_index(dots, index, score.size(0))};
}

// Autograd. Each backward pass consists of operators that have one, too.

struct LinearOfRows : torch::autograd::Function<LinearOfRows> {
  static Tensor forward(AutogradContext* ctx, const Tensor& x, const Tensor& weight) {
    const at::AutoDispatchBelowADInplaceOrView below;
    ctx->save_for_backward({x, weight});
    return call_linear(x, weight);
  }

  static tensor_list backward(AutogradContext* ctx, const tensor_list& grads) {
    const auto saved = ctx->get_saved_variables();
    const Tensor dx = ctx->needs_input_grad(0) ? call_linear(grads[0], saved[1].t()) : Tensor();
    return {dx, call_row_products(grads[0], saved[0])};
  }
};

struct RowProductsFunction : torch::autograd::Function<RowProductsFunction> {
  static Tensor forward(AutogradContext* ctx, const Tensor& a, const Tensor& b) {
    const at::AutoDispatchBelowADInplaceOrView below;
    ctx->save_for_backward({a, b});
    return call_row_products(a, b);
  }

  static tensor_list backward(AutogradContext* ctx, const tensor_list& grads) {
    const auto saved = ctx->get_saved_variables();
    return {call_linear(saved[1], grads[0]), call_linear(saved[0], grads[0].t())};
  }
};

struct MergeFunction : torch::autograd::Function<MergeFunction> {
  static Tensor forward(AutogradContext* ctx, const Tensor& x, const Tensor& parent,
                        const Tensor& score) {
    const at::AutoDispatchBelowADInplaceOrView below;
    ctx->save_for_backward({x, parent, score});
    static const auto op =
        dispatched<Tensor(const Tensor&, const Tensor&, const Tensor&)>("hgnet::merge_rows");
    return op.call(x, parent, score);
  }

  static tensor_list backward(AutogradContext* ctx, const tensor_list& grads) {
    const auto saved = ctx->get_saved_variables();
    const bool of_rows = ctx->needs_input_grad(0);
    const auto [dx, dscore] = call_merge_backward(grads[0], saved[0], saved[1], saved[2], of_rows);
    return {of_rows ? dx : Tensor(), Tensor(), dscore};
  }
};

/// In one pass, or by operators that can be differentiated again.
Pair merge_backward(const Tensor& grad, const Tensor& x, const Tensor& parent, const Tensor& score,
                    bool of_rows) {
  const bool again = torch::GradMode::is_enabled() &&
                     (grad.requires_grad() || x.requires_grad() || score.requires_grad());
  if (!again) {
    const at::AutoDispatchBelowADInplaceOrView below;
    return call_merge_backward(grad, x, parent, score, of_rows);
  }
  static const auto gather = dispatched<Tensor(const Tensor&, const Tensor&)>("hgnet::gather_rows");
  const Tensor here = gather.call(grad, parent);
  static const auto merge =
      dispatched<Tensor(const Tensor&, const Tensor&, const Tensor&)>("hgnet::merge_rows");
  const Tensor dots = (x * here).sum(1, /*keepdim=*/true);
  const Tensor factors = gather.call(score.unsqueeze(1), parent);
  return {of_rows ? here * factors : torch::zeros({0, x.size(1)}, x.options()),
          merge.call(dots, parent, torch::ones_like(score)).squeeze(1)};
}

}  // namespace

TORCH_LIBRARY_FRAGMENT(hgnet, m) {
  m.def("linear(Tensor x, Tensor weight) -> Tensor");
  m.def("row_products(Tensor a, Tensor b) -> Tensor");
  m.def("merge_rows(Tensor x, Tensor parent, Tensor score) -> Tensor");
  m.def(
      "merge_rows_backward(Tensor grad, Tensor x, Tensor parent, Tensor score, bool of_rows) -> "
      "(Tensor, Tensor)");
}

TORCH_LIBRARY_IMPL(hgnet, CPU, m) {
  m.impl("linear", linear_kernel);
  m.impl("row_products", row_products_kernel);
  m.impl("merge_rows", merge_kernel);
  m.impl("merge_rows_backward", merge_backward_kernel);
}

TORCH_LIBRARY_IMPL(hgnet, Autograd, m) {
  m.impl("linear",
         [](const Tensor& x, const Tensor& weight) { return LinearOfRows::apply(x, weight); });
  m.impl("row_products",
         [](const Tensor& a, const Tensor& b) { return RowProductsFunction::apply(a, b); });
  m.impl("merge_rows", [](const Tensor& x, const Tensor& parent, const Tensor& score) {
    return MergeFunction::apply(x, parent, score);
  });
  m.impl("merge_rows_backward", merge_backward);
}

}  // namespace hgnet::python
