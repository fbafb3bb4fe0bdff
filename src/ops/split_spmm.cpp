#include "hgnet/ops/split_spmm.hpp"

#include "ops/constant_operator.hpp"
#include "ops/function.hpp"

namespace hgnet {
namespace {

using detail::tensor_list;
using torch::Tensor;

struct SplitSpmmFunction : detail::Function<SplitSpmmFunction> {
  static constexpr const char* kName = "split_spmm";
  using Kept = detail::ConstantOperator;

  static Tensor forward(const Kept& constant, const Tensor& y_in, const Tensor& parent_rows) {
    const Tensor y = y_in.contiguous();
    const Tensor rows = detail::contiguous_or_undefined(parent_rows);
    const SparseOperator& m = constant.m;
    const std::int64_t channels = y.size(1) / 2;
    Tensor z = detail::empty_result({y.size(0), channels}, y.scalar_type());
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
    return z;
  }

  static tensor_list backward(const Kept& constant, const tensor_list& grads) {
    const SparseOperator& m = constant.m;
    const Tensor dz = grads[0].contiguous();
    const std::int64_t channels = dz.size(1);
    Tensor dy = detail::empty_result({dz.size(0), 2 * channels}, dz.scalar_type());
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
    return {dy, detail::gradient_of_parent_rows(constant, dz)};
  }
};

}  // namespace

Tensor split_spmm(const SparseOperator& m, const Tensor& y, const ParentRows* parents) {
  detail::check_matrix("split_spmm", "y", y, m.graph.num_nodes());
  TORCH_CHECK(y.size(1) % 2 == 0, "split_spmm: y must have an even width (got ", y.sizes(), ")");
  auto constant =
      detail::constant_operator("split_spmm", m, parents, y.size(1) / 2, y.scalar_type());
  return SplitSpmmFunction::apply(std::move(constant), y,
                                  parents == nullptr ? Tensor() : parents->rows);
}

}  // namespace hgnet
