#include "hgnet/ops/split_spmm.hpp"

#include "ops/constant_operator.hpp"

namespace hgnet {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

struct SplitSpmmFunction : torch::autograd::Function<SplitSpmmFunction> {
  static Tensor forward(AutogradContext* ctx, const Tensor& y_in,
                        const torch::optional<Tensor>& parent_rows,
                        const detail::ConstantOperator& constant) {
    const Tensor y = y_in.contiguous();
    const Tensor rows = detail::contiguous_or_undefined(detail::undefined_or(parent_rows));
    const SparseOperator& m = constant.m;
    const std::int64_t channels = y.size(1) / 2;
    Tensor z = detail::empty_result({y.size(0), channels}, y.options());
    AT_DISPATCH_FLOATING_TYPES(y.scalar_type(), "split_spmm", [&] {
      const auto* left = y.data_ptr<scalar_t>();
      kernels::spmm<scalar_t>({.a = m.graph.csr(),
                               .values = constant.values<scalar_t>(false),
                               .diagonal = detail::data_or_null<scalar_t>(m.diagonal),
                               .add = {left, 2 * channels},
                               .parent = constant.parents(),
                               .parent_rows = detail::data_or_null<scalar_t>(rows),
                               .x = {left + channels, 2 * channels},
                               .y = {z.data_ptr<scalar_t>(), channels},
                               .channels = channels},
                              at::get_num_threads());
    });
    detail::keep(ctx, "constant", constant);
    return z;
  }

  static tensor_list backward(AutogradContext* ctx, const tensor_list& grads) {
    detail::check_differentiated_once("split_spmm");
    const auto& constant = detail::kept<detail::ConstantOperator>(ctx, "constant");
    const SparseOperator& m = constant.m;
    const Tensor dz = grads[0].contiguous();
    const std::int64_t channels = dz.size(1);
    Tensor dy = detail::empty_result({dz.size(0), 2 * channels}, dz.options());
    dy.narrow(1, 0, channels).copy_(dz);
    AT_DISPATCH_FLOATING_TYPES(dz.scalar_type(), "split_spmm", [&] {
      kernels::spmm<scalar_t>({.a = m.graph.csr(),
                               .values = constant.values<scalar_t>(true),
                               .diagonal = detail::data_or_null<scalar_t>(m.diagonal),
                               .x = {dz.data_ptr<scalar_t>(), channels},
                               .y = {dy.data_ptr<scalar_t>() + channels, 2 * channels},
                               .channels = channels},
                              at::get_num_threads());
    });
    return {dy, detail::gradient_of_parent_rows(constant, dz), Tensor()};
  }
};

}  // namespace

Tensor split_spmm(const SparseOperator& m, const Tensor& y, const ParentRows* parents) {
  detail::check_matrix("split_spmm", "y", y, m.graph.num_nodes());
  TORCH_CHECK(y.size(1) % 2 == 0, "split_spmm: y must have an even width (got ", y.sizes(), ")");
  const auto constant =
      detail::constant_operator("split_spmm", m, parents, y.size(1) / 2, y.scalar_type());
  return SplitSpmmFunction::apply(y, detail::maybe(parents == nullptr ? Tensor() : parents->rows),
                                  constant);
}

}  // namespace hgnet
