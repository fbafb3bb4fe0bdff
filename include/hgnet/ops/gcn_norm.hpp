#pragma once

#include <torch/types.h>

#include "hgnet/graph/graph.hpp"
#include "hgnet/ops/spmm.hpp"

namespace hgnet {

/// D^-1/2 (A + I) D^-1/2 (or 2I: SelfLoopFill), D_vv the sum of row v of A + I. A node's own
/// self-loop keeps its weight and gets none added. The graph's weights are used, 1 where it has
/// none. In float32 the result is kept with the graph and shared by all who ask: read it only.
SparseOperator gcn_operator(const Graph& graph, SelfLoopFill fill = SelfLoopFill::kOne,
                            torch::ScalarType type = torch::kFloat32);

/// The same for weights [num_edges] by slot that may need a gradient and may differ by direction; D
/// is then of the edges into a node. Backward: see gcn_normalise_backward.
SparseOperator gcn_operator(const Graph& graph, const torch::Tensor& weights,
                            SelfLoopFill fill = SelfLoopFill::kOne);

}  // namespace hgnet
