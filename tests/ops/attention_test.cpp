#include "hgnet/ops/attention.hpp"

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

AttentionOptions dropout(const Graph& graph, std::int64_t heads, torch::ScalarType type) {
  // Entries 0 or 2, as in dropout with probability 0.5.
  const Tensor drawn = random_tensor({graph.num_edges() + graph.num_nodes(), heads}, 5);
  return {.negative_slope = 0.2, .keep = (drawn > 0).to(type) * 2};
}

test::Function ours(const Graph& graph, bool with_dropout) {
  return [=](const Inputs& in) {
    AttentionOptions options;
    if (with_dropout) options = dropout(graph, in[1].size(1), in[0].scalar_type());
    return attention(graph, in[0], in[1], in[2], options);
  };
}

test::Function naive_form(const Graph& graph, bool with_dropout) {
  return [=](const Inputs& in) {
    AttentionOptions options;
    if (with_dropout) options = dropout(graph, in[1].size(1), in[0].scalar_type());
    return naive::attention(graph, in[0], in[1], in[2], options);
  };
}

Inputs inputs_for(const Graph& graph, std::int64_t heads, std::int64_t channels) {
  const std::int64_t n = graph.num_nodes();
  return {random_tensor({n, heads * channels}, 1), random_tensor({n, heads}, 2),
          random_tensor({n, heads}, 3)};
}

TEST(Attention, EqualsTheNaiveForm) {
  for (const auto& [name, graph] : test::small_graphs()) {
    SCOPED_TRACE(name);
    for (const bool with_dropout : {false, true}) {
      test::expect_equal_functions(ours(graph, with_dropout), naive_form(graph, with_dropout),
                                   inputs_for(graph, 2, 3));
    }
  }
}

TEST(Attention, EqualsTheNaiveFormForAnyHeadsAndChannels) {
  const Graph graph = grid_graph(4, 3);
  for (const auto& [heads, channels] : {std::pair{1, 1},
                                        {1, 7},
                                        {3, 4},
                                        {8, 8},
                                        {8, 16},
                                        {4, 8},
                                        {4, 16},
                                        {8, 4},
                                        {17, 5},
                                        {5, 12},
                                        {3, 16},
                                        {2, 0},
                                        {2, 33},
                                        {1, 200},
                                        {20, 17}}) {
    SCOPED_TRACE(std::to_string(heads) + " heads of " + std::to_string(channels));
    test::expect_equal_functions(ours(graph, true), naive_form(graph, true),
                                 inputs_for(graph, heads, channels));
  }
}

TEST(Attention, EqualsTheNaiveFormOnManyRowsAndLongOnes) {
  // A hub with more edges than are processed at a time, and a path of rows with two each.
  EdgeList list;
  for (std::int64_t v = 1; v < 1000; ++v) {
    list.source.push_back(v < 700 ? 0 : v - 1);
    list.target.push_back(v);
  }
  const Graph graph = Graph::from_edges(1000, list);
  for (const std::int64_t channels : {8, 5}) {
    test::expect_equal_functions(ours(graph, true), naive_form(graph, true),
                                 inputs_for(graph, 4, channels));
  }
}

TEST(Attention, GradientsMatchDifferences) {
  const Graph graph = test::small_graphs()[5].graph;
  for (const bool with_dropout : {false, true}) {
    test::expect_gradients_match_differences(ours(graph, with_dropout), inputs_for(graph, 2, 3));
  }
}

TEST(Attention, SameBitsForAnyThreadCount) {
  const Graph graph = test::skewed_graph();
  test::expect_same_bits_for_any_thread_count(ours(graph, true), inputs_for(graph, 3, 5));
}

TEST(Attention, RefusesWrongShapes) {
  const Graph graph = path_graph(3);
  const Tensor x = torch::ones({3, 4});
  const Tensor scores = torch::ones({3, 2});
  EXPECT_NO_THROW(attention(graph, x, scores, scores));
  EXPECT_THROW(attention(graph, torch::ones({3, 5}), scores, scores), c10::Error);
  EXPECT_THROW(attention(graph, torch::ones({2, 4}), scores, scores), c10::Error);
  EXPECT_THROW(attention(graph, x, scores, torch::ones({3, 1})), c10::Error);
  EXPECT_THROW(attention(graph, x, torch::ones({3, 0}), torch::ones({3, 0})), c10::Error);
  EXPECT_THROW(attention(graph, x, scores.to(torch::kDouble), scores), c10::Error);
  EXPECT_THROW(
      attention(graph, x, scores, scores, {.negative_slope = 0.2, .keep = torch::ones({4, 2})}),
      c10::Error);
  EXPECT_THROW(attention(graph, x, scores, scores,
                         {.negative_slope = 0.2, .keep = torch::ones({7, 2}).requires_grad_()}),
               c10::Error);
}

// head_scores.

Tensor stock_scores(const Tensor& x, const Tensor& vectors) {
  return (x.view({x.size(0), vectors.size(0), vectors.size(1)}) * vectors).sum(2);
}

TEST(HeadScores, EqualProductsHeadByHead) {
  for (const auto& [heads, channels] : {std::pair{1, 1}, {4, 8}, {8, 8}, {3, 5}, {1, 40}}) {
    for (const std::int64_t rows : {0, 1, 70}) {
      SCOPED_TRACE(std::to_string(heads) + " heads of " + std::to_string(channels));
      const Inputs in{random_tensor({rows, heads * channels}, 1),
                      random_tensor({heads, channels}, 2), random_tensor({heads, channels}, 3)};
      test::expect_equal_functions(
          [](const Inputs& i) {
            const HeadScores scores = head_scores(i[0], i[1], i[2]);
            return torch::cat({scores.source, scores.target.sin(), scores.x.cos()}, 1);
          },
          [](const Inputs& i) {
            return torch::cat(
                {stock_scores(i[0], i[1]), stock_scores(i[0], i[2]).sin(), i[0].cos()}, 1);
          },
          in);
      test::expect_equal_functions(
          [](const Inputs& i) { return head_scores(i[0], i[1], i[2]).target; },
          [](const Inputs& i) { return stock_scores(i[0], i[2]); }, in);
    }
  }
}

TEST(HeadScores, SameBitsForAnyThreadCount) {
  test::expect_same_bits_for_any_thread_count(
      [](const Inputs& i) {
        const HeadScores scores = head_scores(i[0], i[1], i[2]);
        return torch::cat({scores.source, scores.target, scores.x}, 1);
      },
      {random_tensor({20000, 32}, 1), random_tensor({4, 8}, 2), random_tensor({4, 8}, 3)});
}

TEST(HeadScores, RefuseWrongShapes) {
  EXPECT_THROW(head_scores(torch::ones({3, 4}), torch::ones({2, 3}), torch::ones({2, 3})),
               c10::Error);
  EXPECT_THROW(head_scores(torch::ones({3, 6}), torch::ones({2, 3}), torch::ones({3, 2})),
               c10::Error);
}

}  // namespace
}  // namespace hgnet
