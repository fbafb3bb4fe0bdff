#pragma once

#include <torch/types.h>

#include "hgnet/graph/contraction.hpp"

namespace hgnet {

/// Rows of the coarse nodes, and the fine rows again: see ProductAndRows.
struct MergedRows {
  torch::Tensor rows;
  torch::Tensor x;
};

/// EdgePool's rows of the coarse nodes: x_p = s_p (sum of x_v over the members v of p), s_p the score of the
/// edge that was contracted, 1 for a node left alone. `scores` are by slot of the fine graph.
/// Backward: dx_v = s_parent(v) dx_parent(v); ds of the contracted slot = dx_p . (sum of the members' rows),
/// 0 of every other slot.
MergedRows merge_rows(const torch::Tensor& x, const torch::Tensor& scores,
                      const Contraction& contraction);

/// s by coarse node, differentiable: the score of the edge that was contracted, 1 for a node left alone.
torch::Tensor contracted_scores(const torch::Tensor& scores, const Contraction& contraction);

}  // namespace hgnet
