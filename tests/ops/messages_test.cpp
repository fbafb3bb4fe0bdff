#include "hgnet/ops/messages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "hgnet/graph/generators.hpp"
#include "support/errors.hpp"
#include "support/gradients.hpp"
#include "support/graphs.hpp"

namespace hgnet {
namespace {

using test::Inputs;
using test::random_tensor;
using testing::HasSubstr;
using torch::Tensor;

/// Which rows the edges have.
enum class Rows { kNone, kOwn, kShared };
constexpr std::array kRows{Rows::kNone, Rows::kOwn, Rows::kShared};

/// What is constant in a call, in float64.
struct Constant {
  Graph graph;
  Tensor values;
  Rows rows = Rows::kNone;
  ParentMap row_of_slot;  // for shared rows
};

constexpr NodeId kKinds = 4;  // no edge has the last one

Constant constant_for(const Graph& graph, Rows rows, bool with_values) {
  std::vector<NodeId> kinds(graph.num_edges());
  for (EdgeId s = 0; s < graph.num_edges(); ++s)
    kinds[s] = static_cast<NodeId>((s * 7 + s / 3) % (kKinds - 1));
  return {graph, with_values ? random_tensor({graph.num_edges()}, 1) : Tensor(), rows,
          ParentMap(kinds, kKinds)};
}

// Inputs of both: x and, except for Rows::kNone, the rows.

test::Function ours(const Constant& constant) {
  return [=](const Inputs& in) {
    const Tensor values =
        constant.values.defined() ? constant.values.to(in[0].scalar_type()) : constant.values;
    EdgeRows edges;
    if (constant.rows != Rows::kNone) edges.rows = in[1];
    if (constant.rows == Rows::kShared) edges.row_of_slot = constant.row_of_slot;
    return relu_messages(constant.graph, values, in[0], edges);
  };
}

/// Every edge separately: [edges, C] matrices from index_select to index_add.
test::Function naive_form(const Constant& constant) {
  std::vector<std::int64_t> source;
  std::vector<std::int64_t> target;
  std::vector<std::int64_t> row;
  for (NodeId v = 0; v < constant.graph.num_nodes(); ++v) {
    for (EdgeId s = constant.graph.offsets()[v]; s < constant.graph.offsets()[v + 1]; ++s) {
      source.push_back(constant.graph.columns()[s]);
      target.push_back(v);
      row.push_back(
          constant.rows == Rows::kShared ? constant.row_of_slot.parent(static_cast<NodeId>(s)) : s);
    }
  }
  const auto index = [](const std::vector<std::int64_t>& ids) {
    return torch::tensor(ids, torch::kLong);
  };
  return [=](const Inputs& in) {
    Tensor message = in[0].index_select(0, index(source));
    if (constant.rows != Rows::kNone) message = message + in[1].index_select(0, index(row));
    message = message.relu();
    if (constant.values.defined()) message = message * constant.values.unsqueeze(1);
    return torch::zeros_like(in[0]).index_add(0, index(target), message);
  };
}

Inputs inputs_for(const Constant& constant, std::int64_t channels) {
  Inputs in{random_tensor({constant.graph.num_nodes(), channels}, 2)};
  if (constant.rows == Rows::kOwn)
    in.push_back(random_tensor({constant.graph.num_edges(), channels}, 3));
  if (constant.rows == Rows::kShared) in.push_back(random_tensor({kKinds, channels}, 4));
  return in;
}

void expect_naive(const Graph& graph, std::int64_t channels) {
  for (const Rows rows : kRows) {
    for (const bool with_values : {false, true}) {
      SCOPED_TRACE(testing::Message() << "rows " << static_cast<int>(rows) << ", values "
                                      << with_values << ", width " << channels);
      const Constant constant = constant_for(graph, rows, with_values);
      test::expect_equal_functions(ours(constant), naive_form(constant),
                                   inputs_for(constant, channels));
    }
  }
}

TEST(ReluMessages, EqualsTheNaiveFormOnEveryKindOfGraph) {
  for (const auto& [name, graph] : test::small_graphs()) {
    SCOPED_TRACE(name);
    expect_naive(graph, 5);
  }
}

TEST(ReluMessages, EqualsTheNaiveFormAtEveryWidth) {
  for (const std::int64_t channels : {0, 1, 3, 7, 8, 16, 17, 33, 64, 65, 130, 300})
    expect_naive(grid_graph(4, 3), channels);
}

TEST(ReluMessages, GradientsMatchDifferences) {
  const Graph graph = test::small_graphs()[5].graph;  // self-loops and an isolated node
  for (const Rows rows : kRows) {
    for (const bool with_values : {false, true}) {
      const Constant constant = constant_for(graph, rows, with_values);
      test::expect_gradients_match_differences(ours(constant), inputs_for(constant, 3));
    }
  }
}

TEST(ReluMessages, SameBitsForAnyThreadCount) {
  const Graph graph = test::skewed_graph();
  for (const Rows rows : kRows) {
    const Constant constant = constant_for(graph, rows, true);
    test::expect_same_bits_for_any_thread_count(ours(constant), inputs_for(constant, 7));
  }
}

TEST(ReluMessages, TakesTensorsThatAreNotContiguous) {
  const Constant constant = constant_for(grid_graph(4, 3), Rows::kShared, true);
  test::expect_equal_functions(
      [&](const Inputs& in) {
        return ours(constant)({in[0].t(), in[1].t()});
      },
      [&](const Inputs& in) {
        return naive_form(constant)({in[0].t(), in[1].t()});
      },
      {random_tensor({6, 12}, 2), random_tensor({6, kKinds}, 3)});
}

TEST(ReluMessages, GradientAtTheKinkIsZeroAsInStockCalls) {
  const Constant constant = constant_for(path_graph(4), Rows::kOwn, true);
  test::expect_equal_functions(
      ours(constant), naive_form(constant),
      {torch::zeros({4, 3}, torch::kFloat64), torch::zeros({6, 3}, torch::kFloat64)});
}

TEST(ReluMessages, WhatIsNotANumberStaysSo) {
  Tensor x = torch::ones({3, 5});
  x[0][2] = std::numeric_limits<float>::quiet_NaN();
  const Tensor is_nan = relu_messages(path_graph(3), {}, x, {}).isnan();
  EXPECT_TRUE(is_nan[1][2].item<bool>());
  EXPECT_EQ(is_nan.sum().item<std::int64_t>(), 1);
}

TEST(ReluMessages, RefusesWrongShapesAndTypes) {
  const Graph graph = path_graph(3);  // four slots
  const auto refusal = [&](const Tensor& values, const Tensor& x, const EdgeRows& edges) {
    return test::error_of<c10::Error>([&] { relu_messages(graph, values, x, edges); });
  };
  const Tensor x = torch::ones({3, 2});
  EXPECT_THAT(refusal({}, torch::ones({4, 2}), {}),
              HasSubstr("relu_messages: x must have shape [3, channels] (got [4, 2])"));
  EXPECT_THAT(refusal(torch::ones({3}), x, {}),
              HasSubstr("relu_messages: values must have shape [4] (got [3])"));
  EXPECT_THAT(refusal(torch::ones({4}, torch::kFloat64), x, {}),
              HasSubstr("relu_messages: values must be Float, like x (got Double)"));
  EXPECT_THAT(refusal(torch::ones({4}).set_requires_grad(true), x, {}),
              HasSubstr("relu_messages: values must not need a gradient"));
  EXPECT_THAT(refusal({}, x, {torch::ones({3, 2}), {}}),
              HasSubstr("relu_messages: edge rows must have shape [4, 2] (got [3, 2])"));
  EXPECT_THAT(refusal({}, x, {torch::ones({4, 2}, torch::kFloat64), {}}),
              HasSubstr("relu_messages: edge rows must be Float, like x (got Double)"));
  const ParentMap of_three({0, 0, 1}, 2);
  EXPECT_THAT(refusal({}, x, {torch::ones({2, 2}), of_three}),
              HasSubstr("relu_messages: every one of the 4 slots needs a row"));
  const ParentMap with_gap({0, 0, kNoNode, 1}, 2);
  EXPECT_THAT(refusal({}, x, {torch::ones({2, 2}), with_gap}),
              HasSubstr("relu_messages: every one of the 4 slots needs a row"));
  const ParentMap shared({0, 0, 1, 1}, 2);
  EXPECT_THAT(refusal({}, x, {torch::ones({4, 2}), shared}),
              HasSubstr("relu_messages: edge rows must have shape [2, 2] (got [4, 2])"));
}

}  // namespace
}  // namespace hgnet
