// The ops again, implemented in the slow and obvious way: dense matrices and loops over rows, in
// stock libtorch calls, which makes them differentiable, too. Written from the formulas, sharing
// nothing with the kernels. Tests, benchmarks and the program's self-check compare against them.

#pragma once

#include <torch/types.h>

#include "hgnet/graph/graph.hpp"
#include "hgnet/graph/parent_map.hpp"
#include "hgnet/graph/sparse_matrix.hpp"
#include "hgnet/ops/attention.hpp"
#include "hgnet/ops/spmm.hpp"

namespace hgnet::naive {

/// A [num_nodes, num_nodes] with A_vu = values of the edge u -> v.
torch::Tensor dense(const Graph& graph, const torch::Tensor& values);
torch::Tensor dense(const SparseMatrix& matrix, const torch::Tensor& values);

torch::Tensor spmm(const SparseOperator& m, const torch::Tensor& x);
torch::Tensor spmm(const SparseMatrix& m, const torch::Tensor& x, const torch::Tensor& values);

/// D^-1/2 (A + fill I) D^-1/2, dense.
torch::Tensor gcn_matrix(const Graph& graph, const torch::Tensor& weights, double fill);

torch::Tensor segment_sum(const torch::Tensor& x, const ParentMap& map);
torch::Tensor segment_mean(const torch::Tensor& x, const ParentMap& map);
torch::Tensor segment_max(const torch::Tensor& x, const ParentMap& map);
torch::Tensor gather(const torch::Tensor& x, const ParentMap& map);

torch::Tensor segment_softmax(const Graph& graph, const torch::Tensor& logits);
torch::Tensor edge_score(const Graph& graph, const torch::Tensor& node_scores,
                         const torch::Tensor& bias);
torch::Tensor attention(const Graph& graph, const torch::Tensor& x, const torch::Tensor& source,
                        const torch::Tensor& target, const AttentionOptions& options);

}  // namespace hgnet::naive
