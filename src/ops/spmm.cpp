#include "hgnet/ops/spmm.hpp"

#include <variant>

#include "kernels/spmm.hpp"
#include "ops/common.hpp"

namespace hgnet {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

/// A sparse matrix without its values.
struct Structure {
  std::variant<Graph, SparseMatrix> matrix;
  bool symmetric = false;

  CsrView csr() const {
    return std::visit([](const auto& m) { return m.csr(); }, matrix);
  }
};

Tensor multiply(const CsrView& a, const EdgeId* position, const Tensor& values_in,
                const Tensor& diagonal_in, const Tensor& x) {
  const Tensor values = detail::contiguous_or_undefined(values_in);
  const Tensor diagonal = detail::contiguous_or_undefined(diagonal_in);
  Tensor y = detail::empty_result({a.num_rows(), x.size(1)}, x.options());
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "spmm", [&] {
    kernels::spmm<scalar_t>({.a = a,
                             .values = {detail::data_or_null<scalar_t>(values), position},
                             .diagonal = detail::data_or_null<scalar_t>(diagonal),
                             .x = {x.data_ptr<scalar_t>(), x.size(1)},
                             .y = {y.data_ptr<scalar_t>(), x.size(1)},
                             .channels = x.size(1)},
                            at::get_num_threads());
  });
  return y;
}

Tensor multiply_transposed(const CsrView& a, const Tensor& values_in, const Tensor& x) {
  const Tensor values = values_in.contiguous();
  Tensor y = torch::empty({a.num_columns, x.size(1)}, x.options());
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "spmm", [&] {
    kernels::transposed_spmm<scalar_t>({.a = a,
                                        .values = values.data_ptr<scalar_t>(),
                                        .x = x.data_ptr<scalar_t>(),
                                        .y = y.data_ptr<scalar_t>(),
                                        .channels = x.size(1)},
                                       at::get_num_threads());
  });
  return y;
}

/// M^T x.
Tensor multiply_transposed(const Structure& structure, const Tensor& values, const Tensor& diagonal,
                           const Tensor& x) {
  const Graph* graph = std::get_if<Graph>(&structure.matrix);
  if (graph == nullptr) return multiply_transposed(structure.csr(), values, x);
  // A graph has both directions of an edge, so its own rows are those of the transpose.
  return multiply(graph->csr(), structure.symmetric ? nullptr : graph->reverse().data(), values,
                  diagonal, x);
}

Tensor slot_dots(const CsrView& a, const Tensor& y, const Tensor& x) {
  Tensor out = torch::empty({a.num_slots()}, x.options());
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "spmm", [&] {
    kernels::slot_dots<scalar_t>(a, y.data_ptr<scalar_t>(), x.data_ptr<scalar_t>(),
                                 out.data_ptr<scalar_t>(), x.size(1), at::get_num_threads());
  });
  return out;
}

struct SpmmFunction : torch::autograd::Function<SpmmFunction> {
  static Tensor forward(AutogradContext* ctx, const Structure& structure,
                        const torch::optional<Tensor>& values_in,
                        const torch::optional<Tensor>& diagonal_in, const Tensor& x_in) {
    const Tensor values = detail::undefined_or(values_in);
    const Tensor diagonal = detail::undefined_or(diagonal_in);
    const Tensor x = x_in.contiguous();
    const bool grad_values = detail::needs_gradient(values);
    const bool grad_diagonal = detail::needs_gradient(diagonal);
    detail::keep(ctx, "structure", structure);
    ctx->saved_data["grad_values"] = grad_values;
    ctx->saved_data["grad_diagonal"] = grad_diagonal;
    ctx->saved_data["grad_x"] = detail::needs_gradient(x_in);
    // x is needed only for the gradients of the matrix itself; without them its memory can be
    // freed.
    ctx->save_for_backward({values, diagonal, grad_values || grad_diagonal ? x : Tensor()});
    return multiply(structure.csr(), nullptr, values, diagonal, x);
  }

  static tensor_list backward(AutogradContext* ctx, const tensor_list& grads) {
    detail::check_differentiated_once("spmm");
    const auto saved = ctx->get_saved_variables();
    const Tensor& values = saved[0];
    const Tensor& diagonal = saved[1];
    const Tensor& x = saved[2];
    const Tensor dy = grads[0].contiguous();
    const auto& structure = detail::kept<Structure>(ctx, "structure");
    Tensor dvalues;
    Tensor ddiagonal;
    Tensor dx;
    if (ctx->saved_data["grad_values"].toBool()) {
      dvalues = slot_dots(structure.csr(), dy, x);
    }
    if (ctx->saved_data["grad_diagonal"].toBool()) ddiagonal = (dy * x).sum(1);
    if (ctx->saved_data["grad_x"].toBool())
      dx = multiply_transposed(structure, values, diagonal, dy);
    return {Tensor(), dvalues, ddiagonal, dx};
  }
};

/// Viewed in place; the view keeps the matrix alive.
Tensor own_values(const SparseMatrix& m) {
  return torch::from_blob(
      const_cast<float*>(m.values().data()), {m.num_entries()}, [m](void*) {}, torch::kFloat32);
}

}  // namespace

Tensor spmm(const SparseOperator& m, const Tensor& x) {
  const std::int64_t num_nodes = m.graph.num_nodes();
  detail::check_matrix("spmm", "x", x, num_nodes);
  detail::check_if_defined("spmm", "values", m.values, {m.graph.num_edges()}, x.scalar_type());
  detail::check_if_defined("spmm", "diagonal", m.diagonal, {num_nodes}, x.scalar_type());
  const bool symmetric = m.symmetric || !m.values.defined();
  return SpmmFunction::apply(Structure{m.graph, symmetric}, detail::maybe(m.values),
                             detail::maybe(m.diagonal), x);
}

Tensor spmm(const SparseMatrix& m, const Tensor& x, const Tensor& values) {
  detail::check_matrix("spmm", "x", x, m.num_columns());
  detail::check_if_defined("spmm", "values", values, {m.num_entries()}, x.scalar_type());
  const Tensor used = values.defined() ? values : own_values(m).to(x.scalar_type());
  return SpmmFunction::apply(Structure{m, false}, detail::maybe(used), detail::maybe({}), x);
}

}  // namespace hgnet
