#pragma once

#include <torch/types.h>

#include "hgnet/graph/graph.hpp"
#include "hgnet/graph/sparse_matrix.hpp"

// All ops: float32 or float64 on the CPU, contiguous or not; differentiable once in every tensor
// that requires a gradient; parallel over rows on at::get_num_threads() threads, and bitwise the
// same for any number of threads. Wrong shapes and types throw c10::Error.

namespace hgnet {

/// The matrix M = A_values + diag(diagonal) in y = M x, where A is the graph's adjacency. Row v
/// gathers from the neighbours of v: slot s of row v with neighbour u holds M_vu.
struct SparseOperator {
  Graph graph;
  torch::Tensor values;    // [num_edges] by slot; undefined: all 1
  torch::Tensor diagonal;  // [num_nodes]; undefined: none
  bool symmetric = false;  // promises M_uv = M_vu, which saves backward a permutation of the values
};

/// A + I: sums over a node and its neighbours.
SparseOperator sum_operator(const Graph& graph, torch::ScalarType type);

/// y_v = diagonal_v x_v + sum_{u in N(v)} values_uv x_u for x [num_nodes, C]; a node without
/// neighbours and diagonal gets a row of zeros. Backward: dx = M^T dy, dvalues_uv = dy_v . x_u,
/// ddiagonal_v = dy_v . x_v.
torch::Tensor spmm(const SparseOperator& m, const torch::Tensor& x);

/// Y = M X for sparse M [R, K], such as features times weights, and x [K, C]. `values` [entries],
/// if given, replace the matrix's own (dropout on sparse features). Backward: dX = M^T dY, dvalues
/// = dY_row . X_column.
torch::Tensor spmm(const SparseMatrix& m, const torch::Tensor& x, const torch::Tensor& values = {});

/// Y = M W for sparse features M [R, F] and W^T `weight` [C, F], as layers store it. `values`
/// [entries], if given, replace the matrix's own and must not need a gradient. Backward:
/// dW = M^T dY.
torch::Tensor sparse_linear(const SparseMatrix& m, const torch::Tensor& weight,
                            const torch::Tensor& values = {});

}  // namespace hgnet
