#include "hgnet/ops/merge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hgnet/coarsening/contraction.hpp"
#include "hgnet/core/random.hpp"
#include "hgnet/graph/generators.hpp"
#include "naive.hpp"
#include "support/errors.hpp"
#include "support/gradients.hpp"
#include "support/graphs.hpp"

namespace hgnet {
namespace {

using test::Inputs;
using test::random_tensor;
using testing::HasSubstr;
using torch::Tensor;

/// By random scores: pairs, unmerged nodes and, if the graph has them, self-loops.
Contraction random_contraction(const Graph& graph) {
  Generator generator(3);
  std::vector<float> scores(graph.num_edges());
  for (float& score : scores) score = static_cast<float>(generator.uniform());
  return contract_edges<float>(graph, scores);
}

Tensor naive_scores(const Tensor& scores, const Contraction& contraction) {
  std::vector<Tensor> picked{torch::zeros({0}, scores.options())};
  for (const EdgeId slot : contraction.slot)
    picked.push_back(slot == kNoSlot ? torch::ones({1}, scores.options()) : scores[slot].view({1}));
  return torch::cat(picked);
}

// Inputs of both: x, and the scores by slot.

test::Function ours(const Contraction& contraction) {
  return [=](const Inputs& in) { return merge_rows(in[0], in[1], contraction).rows; };
}

test::Function naive_form(const Contraction& contraction) {
  return [=](const Inputs& in) {
    return naive::segment_sum(in[0], contraction.parent) *
           naive_scores(in[1], contraction).unsqueeze(1);
  };
}

/// Scores like EdgePool's, above 0.5.
Inputs inputs_for(const Graph& graph, std::int64_t channels) {
  return {random_tensor({graph.num_nodes(), channels}, 1),
          random_tensor({graph.num_edges()}, 2).sigmoid() + 0.5};
}

TEST(MergeRows, EqualsTheNaiveFormOnEveryKindOfGraph) {
  for (const auto& [name, graph] : test::small_graphs()) {
    SCOPED_TRACE(name);
    const Contraction contraction = random_contraction(graph);
    test::expect_equal_functions(ours(contraction), naive_form(contraction), inputs_for(graph, 5));
  }
}

TEST(MergeRows, EqualsTheNaiveFormAtEveryWidth) {
  const Graph graph = grid_graph(4, 3);
  const Contraction contraction = random_contraction(graph);
  for (const std::int64_t channels : {0, 1, 3, 7, 8, 16, 17, 33, 64, 65, 130, 300}) {
    SCOPED_TRACE(channels);
    test::expect_equal_functions(ours(contraction), naive_form(contraction),
                                 inputs_for(graph, channels));
  }
}

TEST(MergeRows, NodesWithoutAParentAreLeftOut) {
  const Graph graph = path_graph(4);  // slots: 0<-1, 1<-0, 1<-2, 2<-1, 2<-3, 3<-2
  const Contraction contraction{ParentMap({0, 0, kNoNode, 1}, 2), {1, kNoSlot}};
  test::expect_equal_functions(ours(contraction), naive_form(contraction), inputs_for(graph, 3));
  test::expect_gradients_match_differences(ours(contraction), inputs_for(graph, 3));
}

TEST(MergeRows, GradientsOfTheRowsPassedOnAreAdded) {
  const Graph graph = grid_graph(4, 3);
  const Contraction contraction = random_contraction(graph);
  const auto both = [](const Tensor& merged, const Tensor& rows) {
    return torch::cat({merged, 2 * rows.sin()});
  };
  for (const std::int64_t width : {5, 32}) {  // 32: written over
    test::expect_equal_functions(
        [&](const Inputs& in) {
          const MergedRows merged = merge_rows(in[0], in[1], contraction);
          return both(merged.rows, merged.x);
        },
        [&](const Inputs& in) { return both(naive_form(contraction)(in), in[0]); },
        inputs_for(graph, width));
    test::expect_equal_functions(
        [&](const Inputs& in) { return merge_rows(in[0], in[1], contraction).x.sin(); },
        [&](const Inputs& in) { return in[0].sin(); }, inputs_for(graph, width));
  }
}

TEST(MergeRows, AScoreMayBeZero) {
  const Contraction contraction{ParentMap({0, 0, 1}, 2), {0, 1}};
  const Inputs in{random_tensor({3, 2}, 1), torch::tensor({0.0, 0.5}, torch::kFloat64)};
  test::expect_equal_functions(ours(contraction), naive_form(contraction), in);
}

TEST(MergeRows, ASelfLoopMultipliesItsOnlyNode) {
  const Graph graph = Graph::from_edges(1, test::edges({{0, 0}}), {.self_loops = SelfLoops::kKeep});
  const Contraction contraction = contract_edges<float>(graph, std::vector<float>{1});
  EXPECT_TRUE(merge_rows(torch::ones({1, 2}), torch::full({1}, 0.75), contraction)
                  .rows.equal(torch::full({1, 2}, 0.75)));
}

TEST(MergeRows, GradientsMatchDifferences) {
  for (const std::size_t which : {5U, 7U}) {  // self-loops and an isolated node; a grid
    const Graph graph = test::small_graphs()[which].graph;
    test::expect_gradients_match_differences(ours(random_contraction(graph)), inputs_for(graph, 3));
  }
}

TEST(MergeRows, SameBitsForAnyThreadCount) {
  const Graph graph = test::skewed_graph();
  const Contraction contraction = random_contraction(graph);
  for (const std::int64_t channels : {7, 33})
    test::expect_same_bits_for_any_thread_count(ours(contraction), inputs_for(graph, channels));
}

TEST(MergeRows, TakesTensorsThatAreNotContiguous) {
  const Contraction contraction = random_contraction(grid_graph(4, 3));
  test::expect_equal_functions(
      [&](const Inputs& in) {
        return ours(contraction)({in[0].t(), in[1].select(1, 1)});
      },
      [&](const Inputs& in) {
        return naive_form(contraction)({in[0].t(), in[1].select(1, 1)});
      },
      {random_tensor({6, 12}, 1), random_tensor({34, 2}, 2).sigmoid() + 0.5});
}

TEST(MergeRows, RefusesWrongShapesAndTypes) {
  const Contraction contraction{ParentMap({0, 0, 1}, 2), {3, kNoSlot}};
  const auto refusal = [&](const Tensor& x, const Tensor& scores) {
    return test::error_of<c10::Error>([&] { merge_rows(x, scores, contraction); });
  };
  const Tensor x = torch::ones({3, 2});
  EXPECT_EQ(refusal(x, torch::ones({4})), "no error");
  EXPECT_THAT(refusal(torch::ones({4, 2}), torch::ones({4})),
              HasSubstr("merge_rows: x must have shape [3, channels] (got [4, 2])"));
  EXPECT_THAT(refusal(x, {}), HasSubstr("merge_rows: scores is an undefined tensor"));
  EXPECT_THAT(refusal(x, torch::ones({4}, torch::kFloat64)),
              HasSubstr("merge_rows: scores must be Float, like x (got Double)"));
  EXPECT_THAT(refusal(x, torch::ones({3})), HasSubstr("merge_rows: slot 3 of 3"));
}

TEST(ContractedScores, AreThoseOfTheContractedEdges) {
  for (const auto& [name, graph] : test::small_graphs()) {
    SCOPED_TRACE(name);
    const Contraction contraction = random_contraction(graph);
    test::expect_equal_functions(
        [&](const Inputs& in) { return contracted_scores(in[0], contraction); },
        [&](const Inputs& in) { return naive_scores(in[0], contraction); },
        {random_tensor({graph.num_edges()}, 2)});
  }
  const Contraction contraction = random_contraction(grid_graph(3, 2));
  test::expect_gradients_match_differences(
      [&](const Inputs& in) { return contracted_scores(in[0], contraction); },
      {random_tensor({14}, 2)});
}

TEST(ContractedScores, AreOneForNodesLeftAlone) {
  const Contraction contraction{ParentMap({0, 1, 1}, 2), {kNoSlot, 2}};
  EXPECT_TRUE(contracted_scores(torch::tensor({5.0, 6.0, 7.0, 8.0}), contraction)
                  .equal(torch::tensor({1.0, 7.0})));
}

}  // namespace
}  // namespace hgnet
