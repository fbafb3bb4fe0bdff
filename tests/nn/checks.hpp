// Layers compared with a naive form of their equation: dense matrices and loops, in float64,
// without the ops.

#pragma once

#include <torch/nn/module.h>

#include <string>
#include <vector>

#include "hgnet/graph/graph.hpp"
#include "hgnet/graph/parent_map.hpp"
#include "hgnet/nn/layer.hpp"
#include "hgnet/nn/tail.hpp"
#include "support/gradients.hpp"

namespace hgnet::test {

/// One list of edges, as a Graph and, independently, as a dense matrix.
struct DenseGraph {
  std::string name;
  Graph graph;
  torch::Tensor adjacency;  // float64 [N, N]: the weight of u - v, 0 if there is no edge
  ParentMap graph_of_node;

  torch::Tensor ones() const { return (adjacency != 0).to(torch::kFloat64); }
};

/// A single node, isolated nodes, a hub, a batch of several graphs.
std::vector<DenseGraph> plain_graphs();
/// The same, and graphs with weights and with self-loops.
std::vector<DenseGraph> dense_graphs();

/// Each pair of nodes shares a parent; every fifth node has none.
ParentMap parents_of(NodeId nodes);

/// Random values for every parameter and every running statistic; float32 holds them exactly.
void randomise(torch::nn::Module& module);

/// Random values that float32 holds exactly, in float64.
torch::Tensor random_rows(torch::IntArrayRef shape, std::uint64_t seed);

/// About half of the entries are not zero.
SparseMatrix random_sparse(std::int64_t rows, std::int64_t width);
torch::Tensor to_dense(const SparseMatrix& matrix);

/// Checks that `layer`, in float64 and in float32, agrees with `naive`: output, gradients of the
/// inputs and of every parameter of the module. Leaves the module in float64.
void expect_naive(torch::nn::Module& module, const Function& layer, const Function& naive,
                  const Inputs& inputs);

/// The layer's result together with the rows that it returns, so that the gradients of both are
/// compared.
torch::Tensor result_and_rows(GraphLayer& layer, const Graph& graph, const torch::Tensor& x,
                              const EdgeRows& edges = {});

/// Checks the layer on the graph with dense rows and with sparse ones. `naive` gets x in float64.
void expect_layer(GraphLayer& layer, const DenseGraph& graph, std::int64_t width,
                  const std::function<torch::Tensor(const torch::Tensor& x)>& naive);

/// The norm of a Tail, if it has one: (z - mean) / sqrt(variance + 1e-5) * weight + bias, by
/// column. The statistics are those of z while training, otherwise the running ones.
torch::Tensor naive_norm(const TailImpl& tail, const torch::Tensor& z);

}  // namespace hgnet::test
