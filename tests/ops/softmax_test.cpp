#include "hgnet/ops/softmax.hpp"

#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <cmath>

#include "hgnet/graph/generators.hpp"
#include "naive.hpp"
#include "support/gradients.hpp"
#include "support/graphs.hpp"

namespace hgnet {
namespace {

using test::Inputs;
using test::random_tensor;
using torch::Tensor;

test::Function softmax_of(const Graph& graph) {
  return [graph](const Inputs& in) { return segment_softmax(graph, in[0]); };
}

test::Function score_of(const Graph& graph) {
  return [graph](const Inputs& in) { return edge_score(graph, in[0], in[1]); };
}

Inputs score_inputs(const Graph& graph) {
  return {random_tensor({graph.num_nodes(), 2}, 1), random_tensor({1}, 2)};
}

TEST(SegmentSoftmax, EqualsTheNaiveForm) {
  for (const auto& [name, graph] : test::small_graphs()) {
    SCOPED_TRACE(name);
    const auto naive_form = [&](const Inputs& in) { return naive::segment_softmax(graph, in[0]); };
    test::expect_equal_functions(softmax_of(graph), naive_form,
                                 {random_tensor({graph.num_edges()}, 1)});
    for (const std::int64_t heads : {1, 2, 3, 8, 17, 40, 150}) {
      SCOPED_TRACE(heads);
      test::expect_equal_functions(softmax_of(graph), naive_form,
                                   {random_tensor({graph.num_edges(), heads}, 2)});
    }
  }
}

TEST(SegmentSoftmax, IsStableForLargeLogitsAndSumsToOne) {
  const Graph graph = test::skewed_graph();
  const Tensor logits = 500 * random_tensor({graph.num_edges()}, 3).to(torch::kFloat32);
  const Tensor p = segment_softmax(graph, logits);
  EXPECT_TRUE(torch::isfinite(p).all().item<bool>());
  for (NodeId v = 0; v < graph.num_nodes(); ++v) {
    if (graph.degree(v) == 0) continue;
    const double sum =
        p.slice(0, graph.offsets()[v], graph.offsets()[v + 1]).sum(torch::kFloat64).item<double>();
    ASSERT_NEAR(sum, 1.0, 1e-5);
  }
}

TEST(SegmentSoftmax, DoesNotLoseWhatIsNotANumber) {
  EdgeList star = test::edges({{0, 1}, {0, 2}, {0, 3}});
  const Graph graph = Graph::from_edges(4, star);  // slots 0 to 2 lead into node 0
  for (const std::int64_t heads : {1, 5}) {
    for (const int place : {0, 1, 2}) {
      Tensor logits = torch::ones({6, heads});
      logits[place].fill_(std::nanf(""));
      const Tensor p = segment_softmax(graph, logits);
      EXPECT_TRUE(torch::isnan(p.slice(0, 0, 3)).all().item<bool>());
      EXPECT_TRUE(p.slice(0, 3).equal(torch::ones({3, heads})));
    }
  }
}

TEST(EdgeScore, KeepsTheDigitsOfSmallProbabilities) {
  // Each of the 20,000 edges into the hub has p = 5e-5: 0.5 + p in float32 keeps three digits of
  // it.
  EdgeList star;
  for (int i = 1; i <= 20000; ++i) {
    star.source.push_back(0);
    star.target.push_back(i);
  }
  const Graph graph = Graph::from_edges(20001, star);
  const Tensor weights = torch::zeros({graph.num_edges()});
  weights[7] = 1.0;  // an edge into the hub, from node 8
  const Tensor scores = torch::zeros({20001, 2}).requires_grad_();
  (edge_score(graph, scores) * weights).sum().backward();
  const double p = 1.0 / 20000;
  EXPECT_NEAR(scores.grad()[8][0].item<double>() / (p * (1 - p)), 1.0, 1e-5);
}

TEST(SegmentSoftmax, RefusesSecondDerivatives) {
  const Graph graph = path_graph(3);
  const Tensor logits = torch::rand({4}).requires_grad_();
  const Tensor y = (segment_softmax(graph, logits) * torch::arange(4)).sum();
  EXPECT_THROW(torch::autograd::grad({y}, {logits}, {}, c10::nullopt, true), c10::Error);
}

TEST(SegmentSoftmax, GradientsMatchDifferences) {
  const Graph graph = test::small_graphs()[5].graph;
  test::expect_gradients_match_differences(softmax_of(graph),
                                           {random_tensor({graph.num_edges()}, 1)});
  test::expect_gradients_match_differences(softmax_of(graph),
                                           {random_tensor({graph.num_edges(), 3}, 2)});
}

TEST(SegmentSoftmax, SameBitsForAnyThreadCount) {
  const Graph graph = test::skewed_graph();
  test::expect_same_bits_for_any_thread_count(softmax_of(graph),
                                              {random_tensor({graph.num_edges()}, 1)});
  test::expect_same_bits_for_any_thread_count(softmax_of(graph),
                                              {random_tensor({graph.num_edges(), 5}, 2)});
}

TEST(EdgeScore, EqualsTheNaiveForm) {
  for (const auto& [name, graph] : test::small_graphs()) {
    SCOPED_TRACE(name);
    test::expect_equal_functions(
        score_of(graph), [&](const Inputs& in) { return naive::edge_score(graph, in[0], in[1]); },
        score_inputs(graph));
  }
}

TEST(EdgeScore, IsTheScoreOfConcatenatedRows) {
  const Graph graph = grid_graph(4, 3);
  const Tensor x = random_tensor({12, 5}, 1);
  const Tensor w = random_tensor({10}, 2);
  const Tensor scores = edge_score(graph, x.matmul(w.view({2, 5}).t()));
  std::vector<Tensor> raw;
  for (NodeId v = 0; v < 12; ++v) {
    for (const NodeId u : graph.neighbours(v)) raw.push_back(torch::cat({x[u], x[v]}).dot(w));
  }
  const Tensor expected = 0.5 + naive::segment_softmax(graph, torch::stack(raw));
  EXPECT_TRUE(scores.allclose(expected, 1e-12, 1e-12));
}

TEST(EdgeScore, GradientsMatchDifferences) {
  const Graph graph = test::small_graphs()[5].graph;
  test::expect_gradients_match_differences(score_of(graph), score_inputs(graph));
}

TEST(EdgeScore, SameBitsForAnyThreadCount) {
  const Graph graph = test::skewed_graph();
  test::expect_same_bits_for_any_thread_count(score_of(graph), score_inputs(graph));
}

TEST(Softmax, RefusesWrongShapes) {
  const Graph graph = path_graph(3);
  EXPECT_THROW(segment_softmax(graph, torch::ones({3})), c10::Error);
  EXPECT_THROW(segment_softmax(graph, torch::ones({4}, torch::kInt)), c10::Error);
  EXPECT_THROW(edge_score(graph, torch::ones({3, 3})), c10::Error);
  EXPECT_THROW(edge_score(graph, torch::ones({4, 2})), c10::Error);
  EXPECT_THROW(edge_score(graph, torch::ones({3, 2}), torch::ones({2})), c10::Error);
}

}  // namespace
}  // namespace hgnet
