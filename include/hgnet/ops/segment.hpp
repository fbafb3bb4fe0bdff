#pragma once

#include <torch/types.h>

#include "hgnet/graph/parent_map.hpp"

// Ops from rows of fine nodes to rows of their parents, and back. The parent may be a coarse node
// or a graph. x is [num_children, C] or [num_children] (for gather: num_parents). Rows without a
// parent are ignored.

namespace hgnet {

/// y_p = sum of x_v over the members v of p, in ascending order; 0 without members.
/// Backward: dx_v = dy_parent(v).
torch::Tensor segment_sum(const torch::Tensor& x, const ParentMap& map);

/// y_p = mean of x_v over the members v of p; 0 without members.
/// Backward: dx_v = dy_parent(v) / number of members of parent(v).
torch::Tensor segment_mean(const torch::Tensor& x, const ParentMap& map);

/// y_pc = max of x_vc over the members v of p; 0 without members. Of equal values the first counts;
/// NaN is larger than any number.
/// Backward: dx_vc = dy_pc where v is the member that counts, else 0.
torch::Tensor segment_max(const torch::Tensor& x, const ParentMap& map);

/// y_v = x_parent(v), 0 without a parent.
/// Backward: dx_p = sum of dy_v over the members v of p.
torch::Tensor gather(const torch::Tensor& x, const ParentMap& map);

/// y_v = rows_v + x_parent(v), or just rows_v without a parent. Backward: drows = dy, dx as for
/// gather.
torch::Tensor add_gathered(const torch::Tensor& rows, const torch::Tensor& x, const ParentMap& map);

}  // namespace hgnet
