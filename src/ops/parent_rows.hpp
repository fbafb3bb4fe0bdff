// From rows of children to rows of their parents and back: the building blocks of ops over a
// ParentMap and of their gradients.

#pragma once

#include "hgnet/graph/parent_map.hpp"
#include "ops/common.hpp"

namespace hgnet::detail {

/// y_p = scale_p (sum of x_v over the members v of p) for contiguous x [num_children] or
/// [num_children, C]; `scale` [num_parents] may be undefined: 1.
torch::Tensor sum_of_members(const torch::Tensor& x, const ParentMap& map,
                             const torch::Tensor& scale = {});

/// y_v = add_v + scale_p x_p with p the parent of v, or just add_v without a parent, for contiguous
/// x [num_parents] or [num_parents, C]; `scale` [num_parents] and `add` may be undefined: 1 and 0.
torch::Tensor row_of_parent(const torch::Tensor& x, const ParentMap& map,
                            const torch::Tensor& scale = {}, const torch::Tensor& add = {});

}  // namespace hgnet::detail
