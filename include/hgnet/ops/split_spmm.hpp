#pragma once

#include "hgnet/graph/parent_map.hpp"
#include "hgnet/ops/spmm.hpp"

namespace hgnet {

/// Rows of the next level up, and the row of each node's parent.
struct ParentRows {
  torch::Tensor rows;  // [num_parents, C]
  ParentMap parent;
};

/// With y = [r | s] of shape [num_nodes, 2 C], from one wide product X [W_root | W_0]:
///   z_v = r_v + (M s)_v + rows_parent(v).
/// The last term is left out for nodes without a parent, and without `parents`. Neither r nor s is
/// ever copied. M is a constant here.
/// Backward: dy = [dz | M^T dz], drows_p = sum of dz_v over the members v of p.
torch::Tensor split_spmm(const SparseOperator& m, const torch::Tensor& y,
                         const ParentRows* parents = nullptr);

}  // namespace hgnet
