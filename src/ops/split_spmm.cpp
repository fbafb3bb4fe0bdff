#include "hgnet/ops/split_spmm.hpp"

#include <optional>

#include "ops/common.hpp"
#include "ops/cpu/kernels.hpp"

namespace hgnet {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

/// What is not a variable of the call.
struct Constant {
  SparseOperator m;
  std::optional<ParentMap> parent;
};

struct SplitSpmmFunction : torch::autograd::Function<SplitSpmmFunction> {
  static Tensor forward(AutogradContext* ctx, const Tensor& y_in,
                        const torch::optional<Tensor>& parent_rows, const Constant& constant) {
    const Tensor y = y_in.contiguous();
    const Tensor rows = detail::contiguous_or_undefined(detail::undefined_or(parent_rows));
    const SparseOperator& m = constant.m;
    const std::int64_t channels = y.size(1) / 2;
    Tensor z = detail::empty_result({y.size(0), channels}, y.options());
    AT_DISPATCH_FLOATING_TYPES(y.scalar_type(), "split_spmm", [&] {
      const auto* left = y.data_ptr<scalar_t>();
      cpu::spmm<scalar_t>({.a = m.graph.csr(),
                           .values = {detail::data_or_null<scalar_t>(m.values), nullptr},
                           .diagonal = detail::data_or_null<scalar_t>(m.diagonal),
                           .add = {left, 2 * channels},
                           .parent = constant.parent ? constant.parent->parents().data() : nullptr,
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
    const auto& constant = detail::kept<Constant>(ctx, "constant");
    const SparseOperator& m = constant.m;
    const Tensor dz = grads[0].contiguous();
    const std::int64_t channels = dz.size(1);
    Tensor dy = detail::empty_result({dz.size(0), 2 * channels}, dz.options());
    dy.narrow(1, 0, channels).copy_(dz);
    Tensor drows;
    AT_DISPATCH_FLOATING_TYPES(dz.scalar_type(), "split_spmm", [&] {
      const cpu::Rows<const scalar_t> from{dz.data_ptr<scalar_t>(), channels};
      const EdgeId* position = m.symmetric ? nullptr : m.graph.reverse().data();
      cpu::spmm<scalar_t>({.a = m.graph.csr(),
                           .values = {detail::data_or_null<scalar_t>(m.values), position},
                           .diagonal = detail::data_or_null<scalar_t>(m.diagonal),
                           .x = from,
                           .y = {dy.data_ptr<scalar_t>() + channels, 2 * channels},
                           .channels = channels},
                          at::get_num_threads());
      if (!constant.parent) return;
      drows = detail::empty_result({constant.parent->num_parents(), channels}, dz.options());
      cpu::spmm<scalar_t>({.a = constant.parent->members(),
                           .x = from,
                           .y = {drows.data_ptr<scalar_t>(), channels},
                           .channels = channels},
                          at::get_num_threads());
    });
    return {dy, drows, Tensor()};
  }
};

}  // namespace

Tensor split_spmm(const SparseOperator& m, const Tensor& y, const ParentRows* parents) {
  detail::check_matrix("split_spmm", "y", y, m.graph.num_nodes());
  TORCH_CHECK(y.size(1) % 2 == 0, "split_spmm: y must have an even width (got ", y.sizes(), ")");
  Constant constant{m, std::nullopt};
  constant.m.values = detail::contiguous_or_undefined(m.values);
  constant.m.diagonal = detail::contiguous_or_undefined(m.diagonal);
  constant.m.symmetric = m.symmetric || !m.values.defined();
  const auto check_part = [&](const char* name, const Tensor& part, std::int64_t size) {
    if (!part.defined()) return;
    TORCH_CHECK(!part.requires_grad(), "split_spmm: the matrix must not need a gradient");
    detail::check_shape("split_spmm", name, part, {size});
    detail::check_same_type("split_spmm", name, part, y.scalar_type());
  };
  check_part("values", constant.m.values, m.graph.num_edges());
  check_part("diagonal", constant.m.diagonal, m.graph.num_nodes());
  if (parents == nullptr) return SplitSpmmFunction::apply(y, detail::maybe({}), constant);
  TORCH_CHECK(parents->parent.num_children() == m.graph.num_nodes(), "split_spmm: parents of ",
              parents->parent.num_children(), " nodes for a graph of ", m.graph.num_nodes());
  detail::check_shape("split_spmm", "parent rows", parents->rows,
                      {parents->parent.num_parents(), y.size(1) / 2});
  constant.parent = parents->parent;
  return SplitSpmmFunction::apply(y, detail::maybe(parents->rows), constant);
}

}  // namespace hgnet
