// A sparse matrix that is a constant of the call, with rows to add by parent: shared by split_spmm
// and graph_linear.

#pragma once

#include <optional>

#include "hgnet/ops/split_spmm.hpp"
#include "kernels/spmm.hpp"
#include "ops/common.hpp"

namespace hgnet::detail {

struct ConstantOperator {
  SparseOperator m;
  std::optional<ParentMap> parent;

  /// Where the slots of M, or of M^T, find their values.
  template <class T>
  kernels::SlotValues<T> values(bool transposed) const {
    const EdgeId* position = transposed && !m.symmetric ? m.graph.reverse().data() : nullptr;
    return {data_or_null<T>(m.values), position};
  }

  const NodeId* parents() const { return parent ? parent->parents().data() : nullptr; }
};

/// Checks `m` and `parents`, which may be null, for rows of `width` values of `type`.
ConstantOperator constant_operator(const char* op, const SparseOperator& m,
                                   const ParentRows* parents, std::int64_t width,
                                   torch::ScalarType type);

/// sum of rows_v over the members v of each parent; undefined without parents.
torch::Tensor gradient_of_parent_rows(const ConstantOperator& constant, const torch::Tensor& rows);

}  // namespace hgnet::detail
