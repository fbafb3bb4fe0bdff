#pragma once

#include <torch/types.h>

#include <optional>

#include "hgnet/graph/graph.hpp"
#include "hgnet/graph/parent_map.hpp"

namespace hgnet {

/// Rows of edges: `rows` [R, C], and the row of each slot; without a map, slot s has row s. Edges
/// of few kinds, such as bonds, can thus share a small table.
struct EdgeRows {
  torch::Tensor rows;
  std::optional<ParentMap> row_of_slot = {};
};

/// The sum of layers that read rows of edges: y_v = sum over the edges u -> v of value_uv ReLU(x_u
/// + e_uv), for x [num_nodes, C] and `values` [num_edges] by slot (undefined: 1), which are
/// constants here. Without edge rows (undefined), e is 0. Keeps nothing of size edges x C.
/// Backward, with d_uv = value_uv [x_u + e_uv > 0] dy_v: dx_u = sum of d over the edges out of u,
/// de_uv = d_uv, summed over the slots that share a row.
torch::Tensor relu_messages(const Graph& graph, const torch::Tensor& values, const torch::Tensor& x,
                            const EdgeRows& edges);

}  // namespace hgnet
