#pragma once

#include <torch/types.h>

#include "hgnet/graph/parent_map.hpp"

// Rows of fine nodes to rows of their parents and back. The parent may be a coarse node or a graph.
// x is [num_children, C] or [num_children] (for gather: num_parents). Rows without a parent are
// left out.

namespace hgnet {

/// y_p = sum of x_v over the members v of p, in ascending order; 0 without members.
/// Backward: dx_v = dy_parent(v).
torch::Tensor segment_sum(const torch::Tensor& x, const ParentMap& map);

/// y_p = mean of x_v over the members v of p; 0 without members.
/// Backward: dx_v = dy_parent(v) / number of members of parent(v).
torch::Tensor segment_mean(const torch::Tensor& x, const ParentMap& map);

/// y_pc = max of x_vc over the members v of p; 0 without members. Of equal ones the first counts;
/// NaN is larger than any number.
/// Backward: dx_vc = dy_pc where v is the member that counts, else 0.
torch::Tensor segment_max(const torch::Tensor& x, const ParentMap& map);

/// y_v = add_v + x_parent(v), the latter left out without a parent; `add` may be undefined: 0.
/// Backward: dx_p = sum of dy_v over the members v of p, dadd = dy.
torch::Tensor gather(const torch::Tensor& x, const ParentMap& map, const torch::Tensor& add);
torch::Tensor gather(const torch::Tensor& x, const ParentMap& map);

}  // namespace hgnet
