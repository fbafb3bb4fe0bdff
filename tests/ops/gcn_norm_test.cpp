#include "hgnet/ops/gcn_norm.hpp"

#include <gtest/gtest.h>

#include "hgnet/graph/generators.hpp"
#include "naive.hpp"
#include "support/gradients.hpp"
#include "support/graphs.hpp"

namespace hgnet {
namespace {

using test::Inputs;
using test::random_tensor;
using torch::Tensor;

Tensor dense(const SparseOperator& m) {
  return naive::dense(m.graph, m.values) + m.diagonal.diag();
}

/// Positive, so that degrees are positive.
Tensor random_weights(const Graph& graph) {
  return random_tensor({graph.num_edges()}, 1).abs() + 0.1;
}

TEST(GcnOperator, EqualsTheDenseFormula) {
  for (const SelfLoopFill fill : {SelfLoopFill::kOne, SelfLoopFill::kTwo}) {
    for (const auto& [name, graph] : test::small_graphs()) {
      SCOPED_TRACE(name);
      test::expect_equal_functions(
          [&](const Inputs& in) { return dense(gcn_operator(graph, in[0], fill)); },
          [&](const Inputs& in) { return naive::gcn_matrix(graph, in[0], fill_weight(fill)); },
          {random_weights(graph)});
    }
  }
}

TEST(GcnOperator, OfTheGraphItselfUsesItsWeightsOrOnes) {
  EdgeList list = test::edges({{0, 1}, {1, 2}, {2, 2}});
  list.weight = {0.5F, 2, 3};
  const Graph weighted = Graph::from_edges(4, list, {.self_loops = SelfLoops::kKeep});
  for (const SelfLoopFill fill : {SelfLoopFill::kOne, SelfLoopFill::kTwo}) {
    for (const Graph& graph : {weighted, grid_graph(3, 3)}) {
      Tensor weights = torch::ones({graph.num_edges()}, torch::kFloat64);
      for (EdgeId s = 0; s < graph.num_edges(); ++s) {
        if (graph.has_weights()) weights[s] = graph.weights()[s];
      }
      const Tensor expected = naive::gcn_matrix(graph, weights, fill_weight(fill));
      EXPECT_TRUE(
          dense(gcn_operator(graph, fill, torch::kFloat64)).allclose(expected, 1e-12, 1e-12));
      EXPECT_TRUE(
          dense(gcn_operator(graph, fill)).allclose(expected.to(torch::kFloat32), 1e-6, 1e-6));
    }
  }
}

TEST(GcnOperator, KeepsTheGraphAliveWithTheValues) {
  SparseOperator m = gcn_operator(grid_graph(2, 2));
  m.graph = Graph();
  EXPECT_NEAR(m.values.sum().item<float>(), 8.0F / 3, 1e-6);
}

TEST(GcnOperator, GradientsMatchDifferences) {
  for (const int index : {5, 8}) {  // with self-loops; random
    const Graph graph = test::small_graphs()[index].graph;
    const Tensor x = random_tensor({graph.num_nodes(), 3}, 2);
    test::expect_gradients_match_differences(
        [&](const Inputs& in) { return spmm(gcn_operator(graph, in[0]), in[1]); },
        {random_weights(graph), x});
  }
}

TEST(GcnOperator, SameBitsForAnyThreadCount) {
  const Graph graph = test::skewed_graph();
  test::expect_same_bits_for_any_thread_count(
      [&](const Inputs& in) {
        const SparseOperator m = gcn_operator(graph, in[0]);
        return torch::cat({m.values, m.diagonal});
      },
      {random_weights(graph)});
}

TEST(GcnOperator, NodesWithoutPositiveDegreeGetZeros) {
  const Graph graph = path_graph(2);
  const Tensor weights = torch::full({2}, -1.0);  // degree 1 - 1 = 0
  const SparseOperator m = gcn_operator(graph, weights);
  EXPECT_TRUE(m.values.equal(torch::zeros({2})));
  EXPECT_TRUE(m.diagonal.equal(torch::zeros({2})));
}

TEST(GcnOperator, RefusesWrongShapesAndTypes) {
  EXPECT_THROW(gcn_operator(path_graph(3), torch::ones({3})), c10::Error);
  EXPECT_THROW(gcn_operator(path_graph(3), torch::ones({4}, torch::kInt)), c10::Error);
  EXPECT_THROW(gcn_operator(path_graph(3), SelfLoopFill::kOne, torch::kHalf), c10::Error);
}

}  // namespace
}  // namespace hgnet
