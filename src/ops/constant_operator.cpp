#include "ops/constant_operator.hpp"

namespace hgnet::detail {

ConstantOperator constant_operator(const char* op, const SparseOperator& m,
                                   const ParentRows* parents, std::int64_t width,
                                   torch::ScalarType type) {
  const std::int64_t num_nodes = m.graph.num_nodes();
  const auto checked = [&](const char* name, const torch::Tensor& part, std::int64_t size) {
    if (!part.defined()) return part;
    TORCH_CHECK(!part.requires_grad(), op, ": the matrix must not need a gradient");
    check_shape(op, name, part, {size});
    check_same_type(op, name, part, type);
    return part.contiguous();
  };
  ConstantOperator result;
  result.m = {m.graph, checked("values", m.values, m.graph.num_edges()),
              checked("diagonal", m.diagonal, num_nodes), m.symmetric || !m.values.defined()};
  if (parents == nullptr) return result;
  TORCH_CHECK(parents->parent.num_children() == num_nodes, op, ": parents of ",
              parents->parent.num_children(), " nodes for a graph of ", num_nodes);
  check_shape(op, "parent rows", parents->rows, {parents->parent.num_parents(), width});
  check_same_type(op, "parent rows", parents->rows, type);
  result.parent = parents->parent;
  return result;
}

torch::Tensor gradient_of_parent_rows(const ConstantOperator& constant, const torch::Tensor& rows) {
  if (!constant.parent) return {};
  const std::int64_t channels = rows.size(1);
  torch::Tensor sums = empty_result({constant.parent->num_parents(), channels}, rows.options());
  AT_DISPATCH_FLOATING_TYPES(rows.scalar_type(), "parent_rows", [&] {
    kernels::spmm<scalar_t>({.a = constant.parent->members(),
                             .x = {rows.data_ptr<scalar_t>(), channels},
                             .y = {sums.data_ptr<scalar_t>(), channels},
                             .channels = channels},
                            at::get_num_threads());
  });
  return sums;
}

}  // namespace hgnet::detail
