#pragma once

#include <torch/types.h>

#include "hgnet/graph/contraction.hpp"

namespace hgnet {

/// Rows of the coarse nodes, and the fine rows again: see ProductAndRows.
struct MergedRows {
  torch::Tensor rows;
  torch::Tensor x;
};

/// EdgePool's rows of the coarse nodes: x_p = s_p (sum of x_v over the members v of p), where s_p
/// is the score of the contracted edge, or 1 for an unmerged node. `scores` are by slot of the fine
/// graph.
/// Backward: dx_v = s_parent(v) dx_parent(v); ds of the contracted slot = dx_p . (sum of the
/// members' rows), 0 for every other slot.
MergedRows merge_rows(const torch::Tensor& x, const torch::Tensor& scores,
                      const Contraction& contraction);

/// s by coarse node, differentiable: the score of the contracted edge, or 1 for an unmerged node.
torch::Tensor contracted_scores(const torch::Tensor& scores, const Contraction& contraction);

}  // namespace hgnet
