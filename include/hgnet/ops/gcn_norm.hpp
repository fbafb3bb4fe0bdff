#pragma once

#include <torch/types.h>

#include "hgnet/graph/graph.hpp"
#include "hgnet/ops/spmm.hpp"

namespace hgnet {

/// D^-1/2 (A + I) D^-1/2 (or 2I: SelfLoopFill), where D_vv is the sum of row v of A + I. A node
/// with a self-loop keeps it with its weight and gets none added. Uses the graph's weights, or 1 if
/// it has none. In float32 the result is kept with the graph and shared by all callers: do not
/// modify it.
SparseOperator gcn_operator(const Graph& graph, SelfLoopFill fill = SelfLoopFill::kOne,
                            torch::ScalarType type = torch::kFloat32);

/// The same for weights [num_edges] by slot, which may need a gradient and may differ by direction;
/// D then sums the edges into a node. Backward: see gcn_normalise_backward.
SparseOperator gcn_operator(const Graph& graph, const torch::Tensor& weights,
                            SelfLoopFill fill = SelfLoopFill::kOne);

}  // namespace hgnet
