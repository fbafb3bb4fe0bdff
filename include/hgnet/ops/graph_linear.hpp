#pragma once

#include "hgnet/ops/linear.hpp"
#include "hgnet/ops/split_spmm.hpp"

namespace hgnet {

struct GraphLinearOptions {
  /// Whether the upper half of the weight is W_root.
  bool root = false;
  /// Rows to add by parent; null: none.
  const ParentRows* parents = nullptr;
};

/// A layer's sum over neighbours and its product with the weights in one pass:
///   z = X W_root + (M X) W + rows_parent
/// for x [num_nodes, in] and `weight` [out, in] = W^T, or [2 out, in] = [W_root | W]^T with
/// options.root. The parent's row is left out for nodes without a parent. M X is never written out,
/// so memory is traversed a third as often as by spmm and linear. M is a constant here.
/// Backward: dx = dz W_root^T + (M^T dz) W^T, dW = X^T (M^T dz), dW_root = X^T dz, drows_p = sum of
/// dz_v over the members v of p.
ProductAndRows graph_linear(const SparseOperator& m, const torch::Tensor& x,
                            const torch::Tensor& weight, const GraphLinearOptions& options = {});

/// Whether a layer of these widths should use graph_linear: the weights must stay in the cache.
constexpr bool worth_graph_linear(std::int64_t in, std::int64_t out) {
  return in <= out && out <= 256;
}

}  // namespace hgnet
