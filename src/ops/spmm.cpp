#include "hgnet/ops/spmm.hpp"

#include <algorithm>
#include <variant>

#include "kernels/spmm.hpp"
#include "ops/common.hpp"
#include "ops/function.hpp"

namespace hgnet {
namespace {

using detail::tensor_list;
using torch::Tensor;

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
  Tensor y = detail::empty_result({a.num_rows(), x.size(1)}, x.scalar_type());
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
  Tensor y = detail::empty({a.num_columns, x.size(1)}, x.scalar_type());
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
  Tensor out = detail::empty({a.num_slots()}, x.scalar_type());
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "spmm", [&] {
    kernels::slot_dots<scalar_t>(a, y.data_ptr<scalar_t>(), x.data_ptr<scalar_t>(),
                                 out.data_ptr<scalar_t>(), x.size(1), at::get_num_threads());
  });
  return out;
}

struct SpmmFunction : detail::Function<SpmmFunction> {
  static constexpr const char* kName = "spmm";
  struct Kept {
    Structure structure;
    detail::Saved values;
    detail::Saved diagonal;
    detail::Saved x;
    bool grad_values = false;
    bool grad_diagonal = false;
    bool grad_x = false;
  };

  static Tensor forward(Kept& kept, const Tensor& values, const Tensor& diagonal,
                        const Tensor& x_in) {
    const Tensor x = x_in.contiguous();
    kept.values = values;
    kept.diagonal = diagonal;
    kept.grad_values = detail::needs_gradient(values);
    kept.grad_diagonal = detail::needs_gradient(diagonal);
    kept.grad_x = detail::needs_gradient(x_in);
    // x is needed only for the gradients of the matrix itself; without them its memory can be
    // freed.
    if (kept.grad_values || kept.grad_diagonal) kept.x = x;
    return multiply(kept.structure.csr(), nullptr, values, diagonal, x);
  }

  static tensor_list backward(const Kept& kept, const tensor_list& grads) {
    const Tensor dy = grads[0].contiguous();
    Tensor dvalues;
    Tensor ddiagonal;
    Tensor dx;
    if (kept.grad_values) dvalues = slot_dots(kept.structure.csr(), dy, kept.x.get());
    if (kept.grad_diagonal) ddiagonal = (dy * kept.x.get()).sum(1);
    if (kept.grad_x)
      dx = multiply_transposed(kept.structure, kept.values.get(), kept.diagonal.get(), dy);
    return {dvalues, ddiagonal, dx};
  }
};

Tensor apply(Structure structure, const Tensor& values, const Tensor& diagonal, const Tensor& x) {
  SpmmFunction::Kept kept;
  kept.structure = std::move(structure);
  return SpmmFunction::apply(std::move(kept), values, diagonal, x);
}

/// Viewed in place; the view keeps the matrix alive.
Tensor own_values(const SparseMatrix& m) {
  return torch::from_blob(
      const_cast<float*>(m.values().data()), {m.num_entries()}, [m](void*) {}, torch::kFloat32);
}

}  // namespace

SparseOperator sum_operator(const Graph& graph, torch::ScalarType type) {
  Tensor ones = detail::empty({graph.num_nodes()}, type);
  AT_DISPATCH_FLOATING_TYPES(type, "sum_operator", [&] {
    std::fill_n(ones.data_ptr<scalar_t>(), graph.num_nodes(), scalar_t{1});
  });
  return {graph, {}, ones, true};
}

Tensor spmm(const SparseOperator& m, const Tensor& x) {
  const std::int64_t num_nodes = m.graph.num_nodes();
  detail::check_matrix("spmm", "x", x, num_nodes);
  detail::check_if_defined("spmm", "values", m.values, {m.graph.num_edges()}, x.scalar_type());
  detail::check_if_defined("spmm", "diagonal", m.diagonal, {num_nodes}, x.scalar_type());
  const bool symmetric = m.symmetric || !m.values.defined();
  return apply({m.graph, symmetric}, m.values, m.diagonal, x);
}

Tensor spmm(const SparseMatrix& m, const Tensor& x, const Tensor& values) {
  detail::check_matrix("spmm", "x", x, m.num_columns());
  detail::check_if_defined("spmm", "values", values, {m.num_entries()}, x.scalar_type());
  const Tensor used = values.defined() ? values : own_values(m).to(x.scalar_type());
  return apply({m, false}, used, {}, x);
}

}  // namespace hgnet
