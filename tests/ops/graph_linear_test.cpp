#include "hgnet/ops/graph_linear.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hgnet/graph/generators.hpp"
#include "hgnet/ops/linear.hpp"
#include "naive.hpp"
#include "support/errors.hpp"
#include "support/gradients.hpp"
#include "support/graphs.hpp"
#include "support/operators.hpp"

namespace hgnet {
namespace {

using test::Inputs;
using test::Matrix;
using test::random_matrix;
using test::random_tensor;
using testing::HasSubstr;
using torch::Tensor;

// Inputs of both: x, the weights, and the rows of the parents.

test::Function ours(const Matrix& matrix, bool root, const ParentMap& parent) {
  return [=](const Inputs& in) {
    const ParentRows parents{in[2], parent};
    return graph_linear(matrix.in(in[0].scalar_type()), in[0], in[1],
                        {.root = root, .parents = &parents})
        .y;
  };
}

test::Function naive_form(const Matrix& matrix, bool root, const ParentMap& parent) {
  return [=](const Inputs& in) {
    const SparseOperator m = matrix.in(in[0].scalar_type());
    const std::int64_t out = in[1].size(0) / (root ? 2 : 1);
    const Tensor below = in[1].narrow(0, in[1].size(0) - out, out);
    Tensor z = naive::spmm(m, in[0]).mm(below.t()) + naive::gather(in[2], parent);
    if (root) z = z + in[0].mm(in[1].narrow(0, 0, out).t());
    return z;
  };
}

Inputs inputs_for(const Graph& graph, const ParentMap& parent, bool root, std::int64_t in,
                  std::int64_t out) {
  return {random_tensor({graph.num_nodes(), in}, 3),
          random_tensor({root ? 2 * out : out, in}, 4) / std::sqrt(static_cast<double>(in + 1)),
          random_tensor({parent.num_parents(), out}, 5)};
}

void expect_naive(const Graph& graph, const ParentMap& parent, std::int64_t in, std::int64_t out) {
  for (const bool root : {false, true}) {
    SCOPED_TRACE(root ? "with root" : "without root");
    test::expect_equal_functions(ours(random_matrix(graph), root, parent),
                                 naive_form(random_matrix(graph), root, parent),
                                 inputs_for(graph, parent, root, in, out));
  }
}

TEST(GraphLinear, EqualsTheDenseFormOnEveryKindOfGraph) {
  for (const auto& [name, graph] : test::small_graphs()) {
    SCOPED_TRACE(name);
    for (const NodeId num_parents : {0, 1, 7})
      expect_naive(graph, test::random_map(graph.num_nodes(), num_parents, 6), 3, 5);
  }
}

TEST(GraphLinear, EqualsTheDenseFormAtEveryWidth) {
  const Graph graph = grid_graph(9, 3);  // 27 rows: full groups of rows and a remainder
  const ParentMap parent = test::random_map(graph.num_nodes(), 5, 6);
  for (const std::int64_t width : {1, 3, 4, 7, 8, 15, 16, 17, 33, 48, 64, 65, 130}) {
    SCOPED_TRACE(width);
    expect_naive(graph, parent, width, width);
    expect_naive(graph, parent, 2, width);
    expect_naive(graph, parent, width, 5);
  }
}

TEST(GraphLinear, SumsOverManyTilesOfRows) {
  const Graph graph = grid_graph(37, 67);  // more than two chunks of 1,024 rows
  expect_naive(graph, test::random_map(graph.num_nodes(), 300, 6), 6, 17);
}

TEST(GraphLinear, UnitValuesAndNoDiagonalAreTheDefault) {
  for (const auto& [name, graph] : test::small_graphs()) {
    SCOPED_TRACE(name);
    const ParentMap parent = test::random_map(graph.num_nodes(), 3, 7);
    const Matrix unit{graph, {}, {}};
    test::expect_equal_functions(ours(unit, true, parent), naive_form(unit, true, parent),
                                 inputs_for(graph, parent, true, 6, 6));
  }
}

TEST(GraphLinear, ParentsMayBeLeftOut) {
  const Graph graph = grid_graph(5, 4);
  const Matrix matrix = random_matrix(graph);
  const ParentMap nobody(std::vector<NodeId>(graph.num_nodes(), kNoNode), 0);
  test::expect_equal_functions(
      [&](const Inputs& in) {
        return graph_linear(matrix.in(in[0].scalar_type()), in[0], in[1]).y;
      },
      [&](const Inputs& in) {
        return naive_form(matrix, false,
                          nobody)({in[0], in[1], torch::zeros({0, 8}, in[0].options())});
      },
      {random_tensor({20, 5}, 3), random_tensor({8, 5}, 4)});
}

TEST(GraphLinear, GradientsOfTheRowsPassedOnAreAdded) {
  const Matrix matrix = random_matrix(grid_graph(5, 4));
  const auto both = [](const Tensor& z, const Tensor& x) { return torch::cat({z, x.sin()}, 1); };
  for (const std::int64_t width : {5, 32}) {  // 32: written over
    const Inputs in{random_tensor({20, width}, 3), random_tensor({8, width}, 4)};
    test::expect_equal_functions(
        [&](const Inputs& i) {
          const ProductAndRows result = graph_linear(matrix.in(i[0].scalar_type()), i[0], i[1]);
          return both(result.y, result.x);
        },
        [&](const Inputs& i) {
          return both(naive::spmm(matrix.in(i[0].scalar_type()), i[0]).mm(i[1].t()), i[0]);
        },
        in);
    test::expect_equal_functions(
        [&](const Inputs& i) {
          return graph_linear(matrix.in(i[0].scalar_type()), i[0], i[1]).x.sin();
        },
        [&](const Inputs& i) { return i[0].sin(); }, in);
  }
}

TEST(GraphLinear, SymmetricPromiseGivesTheSameGradient) {
  const Graph graph = grid_graph(5, 4);
  Matrix matrix = random_matrix(graph);
  for (EdgeId s = 0; s < graph.num_edges(); ++s)
    matrix.values[s] = matrix.values[std::min(s, graph.reverse()[s])].item<double>();
  const ParentMap parent = test::random_map(graph.num_nodes(), 4, 8);
  const Inputs in = inputs_for(graph, parent, true, 3, 5);
  const auto plain = test::evaluate(ours(matrix, true, parent), in);
  matrix.symmetric = true;
  const auto promised = test::evaluate(ours(matrix, true, parent), in);
  for (std::size_t i = 0; i < in.size(); ++i)
    EXPECT_TRUE(promised.gradients[i].equal(plain.gradients[i])) << i;
}

TEST(GraphLinear, GradientsMatchDifferences) {
  const Graph graph = test::small_graphs()[5].graph;  // self-loops and an isolated node
  const ParentMap parent({1, kNoNode, 0, 1, 1}, 3);
  for (const bool root : {false, true}) {
    test::expect_gradients_match_differences(ours(random_matrix(graph), root, parent),
                                             inputs_for(graph, parent, root, 3, 4));
  }
}

TEST(GraphLinear, SameBitsForAnyThreadCount) {
  const Graph graph = test::skewed_graph();
  const ParentMap parent = test::random_map(graph.num_nodes(), 9000, 9);
  test::expect_same_bits_for_any_thread_count(ours(random_matrix(graph), true, parent),
                                              inputs_for(graph, parent, true, 7, 9));
}

TEST(GraphLinear, TakesTensorsThatAreNotContiguous) {
  const Graph graph = grid_graph(4, 3);
  const ParentMap parent = test::random_map(12, 5, 6);
  const Matrix matrix = random_matrix(graph);
  const auto turned = [](const Inputs& in) { return Inputs{in[0].t(), in[1].t(), in[2].t()}; };
  test::expect_equal_functions(
      [&](const Inputs& in) { return ours(matrix, true, parent)(turned(in)); },
      [&](const Inputs& in) { return naive_form(matrix, true, parent)(turned(in)); },
      {random_tensor({6, 12}, 3), random_tensor({6, 8}, 4), random_tensor({4, 5}, 5)});
}

TEST(GraphLinear, OneGradientMayBeAskedForAlone) {
  const Graph graph = grid_graph(7, 5);
  const ParentMap parent = test::random_map(35, 5, 6);
  for (const bool root : {false, true}) {
    const Inputs in = inputs_for(graph, parent, root, 3, 6);
    const auto all = test::evaluate(ours(random_matrix(graph), root, parent), in);
    for (std::size_t i = 0; i < in.size(); ++i) {
      const auto one = test::evaluate(
          [&](const Inputs& given) {
            Inputs full = in;
            full[i] = given[0];
            return ours(random_matrix(graph), root, parent)(full);
          },
          {in[i]});
      // The weights' gradient is summed in another way if the rows need none.
      EXPECT_TRUE(one.gradients[0].allclose(all.gradients[i], 1e-12, 1e-12)) << i;
    }
  }
}

TEST(GraphLinear, RefusesWrongShapesAndTypes) {
  const Graph graph = path_graph(3);
  const Tensor x = torch::ones({3, 2});
  const Tensor w = torch::ones({4, 2});
  const auto refusal = [](const SparseOperator& m, const Tensor& rows, const Tensor& weight,
                          const GraphLinearOptions& options) {
    return test::error_of<c10::Error>([&] { graph_linear(m, rows, weight, options); });
  };
  const SparseOperator unit{graph, {}, {}, false};
  EXPECT_THAT(refusal(unit, torch::ones({4, 2}), w, {}),
              HasSubstr("graph_linear: x must have shape [3, channels] (got [4, 2])"));
  EXPECT_THAT(refusal(unit, x, torch::ones({4, 3}), {}),
              HasSubstr("graph_linear: weight must have shape [out, 2] (got [4, 3])"));
  EXPECT_THAT(refusal(unit, x, torch::ones({3, 2}), {.root = true}),
              HasSubstr("graph_linear: weight must have shape [2 out, 2] (got [3, 2])"));
  EXPECT_THAT(refusal(unit, x, w.to(torch::kFloat64), {}),
              HasSubstr("graph_linear: weight must be Float, like x (got Double)"));
  EXPECT_THAT(refusal({graph, torch::ones({3}), {}, false}, x, w, {}),
              HasSubstr("graph_linear: values must have shape [4] (got [3])"));
  EXPECT_THAT(refusal({graph, torch::ones({4}).set_requires_grad(true), {}, false}, x, w, {}),
              HasSubstr("graph_linear: the matrix must not need a gradient"));
  const ParentRows wide{torch::ones({1, 3}), ParentMap({0, 0, 0}, 1)};
  EXPECT_THAT(refusal(unit, x, w, {.parents = &wide}),
              HasSubstr("graph_linear: parent rows must have shape [1, 4] (got [1, 3])"));
  const ParentRows doubles{torch::ones({1, 4}, torch::kFloat64), ParentMap({0, 0, 0}, 1)};
  EXPECT_THAT(refusal(unit, x, w, {.parents = &doubles}),
              HasSubstr("graph_linear: parent rows must be Float, like x (got Double)"));
}

// small_linear is the same kernel without a graph.

TEST(SmallLinear, EqualsTheGeneralProductAtEveryWidth) {
  const auto ours = [](const Inputs& in) { return small_linear(in[0], in[1]); };
  const auto general = [](const Inputs& in) { return in[0].mm(in[1].t()); };
  for (const std::int64_t width : {1, 2, 7, 16, 17, 33, 65, 130, 257}) {
    for (const std::int64_t rows : {0, 1, 70, 1100}) {
      SCOPED_TRACE(std::to_string(rows) + " rows of " + std::to_string(width));
      test::expect_equal_functions(ours, general,
                                   {random_tensor({rows, width}, 1) / std::sqrt(1.0 + rows),
                                    random_tensor({5, width}, 2) / std::sqrt(1.0 + width)});
      test::expect_equal_functions(ours, general,
                                   {random_tensor({rows, 3}, 1) / std::sqrt(1.0 + rows),
                                    random_tensor({width, 3}, 2) / std::sqrt(1.0 + width)});
    }
  }
}

TEST(SmallLinear, GradientsOfTheRowsPassedOnAreAdded) {
  for (const std::int64_t width : {5, 32}) {  // 32: written over
    const Inputs in{random_tensor({70, width}, 1), random_tensor({3, width}, 2)};
    test::expect_equal_functions(
        [](const Inputs& i) {
          const ProductAndRows both = small_linear_and_rows(i[0], i[1]);
          return torch::cat({both.y, both.x.sin()}, 1);
        },
        [](const Inputs& i) {
          return torch::cat({i[0].mm(i[1].t()), i[0].sin()}, 1);
        },
        in);
    test::expect_equal_functions(
        [](const Inputs& i) { return small_linear_and_rows(i[0], i[1]).x.sin(); },
        [](const Inputs& i) { return i[0].sin(); }, in);
  }
}

TEST(SmallLinear, AddsABias) {
  for (const std::int64_t width : {1, 3, 17, 257}) {
    test::expect_equal_functions(
        [](const Inputs& in) { return small_linear(in[0], in[1], in[2]); },
        [](const Inputs& in) { return in[0].mm(in[1].t()) + in[2]; },
        {random_tensor({70, 5}, 1) / 8, random_tensor({width, 5}, 2), random_tensor({width}, 3)});
  }
  EXPECT_THROW(small_linear(torch::ones({2, 3}), torch::ones({4, 3}), torch::ones({3})),
               c10::Error);
}

TEST(SmallLinear, GradientsMatchDifferences) {
  test::expect_gradients_match_differences(
      [](const Inputs& in) { return small_linear(in[0], in[1], in[2]); },
      {random_tensor({6, 3}, 1), random_tensor({4, 3}, 2), random_tensor({4}, 3)});
}

TEST(SmallLinear, SameBitsForAnyThreadCount) {
  test::expect_same_bits_for_any_thread_count(
      [](const Inputs& in) { return small_linear(in[0], in[1]); },
      {random_tensor({20000, 33}, 1), random_tensor({40, 33}, 2)});
}

}  // namespace
}  // namespace hgnet
