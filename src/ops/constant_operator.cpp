#include "ops/constant_operator.hpp"

#include "ops/parent_rows.hpp"

namespace hgnet::detail {

ConstantOperator constant_operator(const char* op, const SparseOperator& m,
                                   const ParentRows* parents, std::int64_t width,
                                   torch::ScalarType type) {
  const std::int64_t num_nodes = m.graph.num_nodes();
  const auto checked = [&](const char* name, const torch::Tensor& part, std::int64_t size) {
    check_if_defined(op, name, part, {size}, type);
    TORCH_CHECK(!needs_gradient(part), op, ": the matrix must not need a gradient");
    return contiguous_or_undefined(part);
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
  return constant.parent ? sum_of_members(rows, *constant.parent) : torch::Tensor();
}

}  // namespace hgnet::detail
