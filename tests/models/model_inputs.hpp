// Graphs and inputs for tests of whole models.

#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "hgnet/graph/batch.hpp"
#include "hgnet/models/model.hpp"

namespace hgnet::test {

/// A ring with a chord from every node: no two leaves share their only neighbour, since their edges
/// would have equal scores.
inline Graph ring(NodeId num_nodes, NodeId chord) {
  EdgeList list;
  for (NodeId v = 0; v < num_nodes; ++v) {
    for (const NodeId step : {NodeId{1}, chord}) {
      list.source.push_back(v);
      list.target.push_back((v + step) % num_nodes);
    }
  }
  return Graph::from_edges(num_nodes, list);
}

/// One of them is a single node without edges. The others are large and sparse enough that no level
/// has twins, neighbours with the same neighbours: a layer may give those equal rows, and rounding
/// then decides which of them a coarsening takes.
inline std::vector<Graph> three_graphs() {
  return {ring(23, 5), Graph::from_edges(1, {}), ring(17, 4)};
}

inline constexpr std::int64_t kNodes = 41;

inline Input input_of(const Model& model, const std::vector<Graph>& graphs, Features x) {
  std::vector<Hierarchy> parts;
  for (const Graph& graph : graphs) parts.push_back(model.prepare(graph));
  std::vector<const Hierarchy*> pointers;
  for (const Hierarchy& part : parts) pointers.push_back(&part);
  return {std::move(x), Hierarchy::joined(pointers),
          Batch(std::span<const Graph>(graphs)).graph_of_node()};
}

inline void expect_close(const torch::Tensor& got, const torch::Tensor& expected,
                         double tolerance) {
  ASSERT_EQ(got.sizes(), expected.sizes());
  if (got.numel() == 0) return;
  const double scale = std::max(1.0, expected.abs().max().item<double>());
  EXPECT_LE((got - expected).abs().max().item<double>(), tolerance * scale);
}

inline SparseMatrix to_sparse(const torch::Tensor& dense) {
  const torch::Tensor rows = dense.to(torch::kFloat32).contiguous();
  return SparseMatrix::from_dense({rows.data_ptr<float>(), static_cast<std::size_t>(rows.numel())},
                                  rows.size(0), rows.size(1));
}

}  // namespace hgnet::test
