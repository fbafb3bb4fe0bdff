// The ops as they are usually built from stock libtorch calls: one row per edge by index_select,
// summed by index_add. The benchmarks compare the kernels with them. Differentiable.

#pragma once

#include <torch/types.h>

#include "hgnet/graph/graph.hpp"
#include "hgnet/graph/parent_map.hpp"

namespace hgnet::stock {

/// The graph as such code stores it: 64-bit index tensors, edges by slot.
struct Edges {
  explicit Edges(const Graph& graph);
  std::int64_t num_nodes;
  torch::Tensor source;
  torch::Tensor target;
};

torch::Tensor index(const ParentMap& map);  // [num_children], total maps only

/// [num_nodes, num_nodes] in libtorch's own sparse CSR format.
torch::Tensor sparse_csr(const Graph& graph, const torch::Tensor& values);

torch::Tensor spmm(const Edges& edges, const torch::Tensor& values, const torch::Tensor& x);
torch::Tensor segment_sum(const torch::Tensor& x, const torch::Tensor& index,
                          std::int64_t num_parents);
torch::Tensor segment_mean(const torch::Tensor& x, const torch::Tensor& index,
                           std::int64_t num_parents);
torch::Tensor segment_max(const torch::Tensor& x, const torch::Tensor& index,
                          std::int64_t num_parents);
torch::Tensor gather(const torch::Tensor& x, const torch::Tensor& index);

/// logits [edges] or [edges, heads].
torch::Tensor segment_softmax(const torch::Tensor& logits, const torch::Tensor& index,
                              std::int64_t num_parents);
/// x [nodes, C], weight [1, 2C]: a row of width 2C for every edge.
torch::Tensor edge_score(const Edges& edges, const torch::Tensor& x, const torch::Tensor& weight,
                         const torch::Tensor& bias);
/// x [nodes, heads, channels], scores [nodes, heads]; self-loops are already among the edges.
torch::Tensor attention(const Edges& edges_and_loops, const torch::Tensor& x,
                        const torch::Tensor& source, const torch::Tensor& target);
/// {values by slot, diagonal} of D^-1/2 (A + I) D^-1/2 for a graph without self-loops.
std::vector<torch::Tensor> gcn_norm(const Edges& edges, const torch::Tensor& weights);

}  // namespace hgnet::stock
