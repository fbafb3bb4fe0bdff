#pragma once

#include <torch/types.h>

#include <optional>

#include "hgnet/graph/graph.hpp"
#include "hgnet/graph/parent_map.hpp"

namespace hgnet {

/// Rows of edges: `rows` [R, C], and which of them each slot has; no map: slot s has row s. Edges of few
/// kinds, such as bonds, share a small table this way.
struct EdgeRows {
  torch::Tensor rows;
  std::optional<ParentMap> row_of_slot = {};
};

/// The molecule layers' sum: y_v = sum over the edges u -> v of value_uv ReLU(x_u + e_uv), for x
/// [num_nodes, C] and `values` [num_edges] by slot (undefined: 1), which are constants here. Without edge rows
/// (undefined) e is 0. Nothing of the size edges x C is kept.
/// Backward, with d_uv = value_uv [x_u + e_uv > 0] dy_v: dx_u = sum of d over the edges out of u, de_uv = d_uv,
/// summed over the slots that share a row.
torch::Tensor relu_messages(const Graph& graph, const torch::Tensor& values, const torch::Tensor& x,
                            const EdgeRows& edges);

}  // namespace hgnet
