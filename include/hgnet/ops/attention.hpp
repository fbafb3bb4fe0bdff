#pragma once

#include <torch/types.h>

#include "hgnet/graph/graph.hpp"

namespace hgnet {

/// What attention() scores edges by, and the rows x again: the gradient that flows back through
/// these is added in the pass that computes dx.
struct HeadScores {
  torch::Tensor source;
  torch::Tensor target;
  torch::Tensor x;
};

/// source_vh = a_h . x_vh and target_vh = b_h . x_vh for x [N, heads * channels] and the vectors a
/// `source` and b `target`, both [heads, channels]. Backward: dx_vh = dsource_vh a_h + dtarget_vh
/// b_h, da_h = sum_v dsource_vh x_vh, db_h likewise.
HeadScores head_scores(const torch::Tensor& x, const torch::Tensor& source,
                       const torch::Tensor& target);

struct AttentionOptions {
  double negative_slope = 0.2;
  /// [num_edges + num_nodes, heads]: a factor on each alpha, by slot and then by the node of the
  /// self-loop. Used for dropout on alpha; undefined: none.
  torch::Tensor keep;
};

/// GAT's aggregation. With logits e_uv = LeakyReLU(source_u + target_v),
///   y_v = sum_u keep_uv alpha_uv x_u,   alpha_uv = softmax over the edges into v of e_uv,
/// where u runs over the neighbours of v and v itself, for each head. Every node has exactly one
/// self-loop here, which replaces the graph's own. x and y are [num_nodes, heads * channels],
/// source and target are [num_nodes, heads]. Backward: dalpha_uv = keep_uv dy_v . x_u, de_uv =
/// alpha_uv (dalpha_uv - sum_w alpha_wv dalpha_wv), dx_u = sum_v keep_uv alpha_uv dy_v; dsource and
/// dtarget sum LeakyReLU' de over the edges out of u and into v.
torch::Tensor attention(const Graph& graph, const torch::Tensor& x, const torch::Tensor& source,
                        const torch::Tensor& target, const AttentionOptions& options = {});

}  // namespace hgnet
