#pragma once

#include <torch/types.h>

#include "hgnet/graph/graph.hpp"

namespace hgnet {

/// Softmax over the edges into a node: p_s = exp(l_s) / sum of exp(l_t) over the slots t of the row
/// of s, for logits [num_edges] or [num_edges, heads] by slot. The row's maximum is subtracted
/// first.
/// Backward: dl_s = p_s (dp_s - sum over the row of p_t dp_t).
torch::Tensor segment_softmax(const Graph& graph, const torch::Tensor& logits);

/// EdgePool's score of the directed edge u -> v, by slot:
///   s_uv = 0.5 + softmax over the edges into v of r_uv,   r_uv = w.[x_u ; x_v] + b.
/// Splits r into two numbers per node, node_scores [num_nodes, 2] = X [w1 w2], so that
/// r_uv = node_scores_u0 + node_scores_v1 + b. `bias` has one element, or is undefined for 0.
/// Backward, with p the softmax and dr_uv = p_uv (ds_uv - sum over the edges into v of p ds):
///   dnode_scores_u0 = sum of dr over the edges out of u, dnode_scores_v1 = sum of dr over the
///   edges into v, db = sum of dr. (The last two are 0 up to rounding: softmax ignores a shift
///   shared by all edges into a node.)
torch::Tensor edge_score(const Graph& graph, const torch::Tensor& node_scores,
                         const torch::Tensor& bias = {});

}  // namespace hgnet
