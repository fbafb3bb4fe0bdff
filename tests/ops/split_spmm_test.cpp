#include "hgnet/ops/split_spmm.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hgnet/graph/generators.hpp"
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

// Inputs of both: y, and the rows of the parents.

test::Function ours(const Matrix& matrix, const ParentMap& parent) {
  return [=](const Inputs& in) {
    const ParentRows parents{in[1], parent};
    return split_spmm(matrix.in(in[0].scalar_type()), in[0], &parents);
  };
}

test::Function naive_form(const Matrix& matrix, const ParentMap& parent) {
  return [=](const Inputs& in) {
    const std::int64_t channels = in[0].size(1) / 2;
    return in[0].narrow(1, 0, channels) +
           naive::spmm(matrix.in(in[0].scalar_type()), in[0].narrow(1, channels, channels)) +
           naive::gather(in[1], parent);
  };
}

Inputs inputs_for(const Graph& graph, const ParentMap& parent, std::int64_t channels) {
  return {random_tensor({graph.num_nodes(), 2 * channels}, 3),
          random_tensor({parent.num_parents(), channels}, 4)};
}

TEST(SplitSpmm, EqualsTheDenseFormOnEveryKindOfGraph) {
  for (const auto& [name, graph] : test::small_graphs()) {
    SCOPED_TRACE(name);
    for (const NodeId num_parents :
         {0, 1, 7}) {  // without parents, one for all, some without members
      const ParentMap parent = test::random_map(graph.num_nodes(), num_parents, 5);
      test::expect_equal_functions(ours(random_matrix(graph), parent),
                                   naive_form(random_matrix(graph), parent),
                                   inputs_for(graph, parent, 5));
    }
  }
}

TEST(SplitSpmm, EqualsTheDenseFormAtEveryWidth) {
  const Graph graph = grid_graph(4, 3);
  const ParentMap parent = test::random_map(graph.num_nodes(), 5, 6);
  for (const std::int64_t channels : {0, 1, 3, 7, 8, 16, 17, 33, 64, 65, 130, 300}) {
    SCOPED_TRACE(channels);
    test::expect_equal_functions(ours(random_matrix(graph), parent),
                                 naive_form(random_matrix(graph), parent),
                                 inputs_for(graph, parent, channels));
  }
}

TEST(SplitSpmm, UnitValuesAndNoDiagonalAreTheDefault) {
  for (const auto& [name, graph] : test::small_graphs()) {
    SCOPED_TRACE(name);
    const ParentMap parent = test::random_map(graph.num_nodes(), 3, 7);
    const Matrix unit{graph, {}, {}};
    test::expect_equal_functions(ours(unit, parent), naive_form(unit, parent),
                                 inputs_for(graph, parent, 6));
  }
}

TEST(SplitSpmm, ParentsMayBeLeftOut) {
  for (const auto& [name, graph] : test::small_graphs()) {
    SCOPED_TRACE(name);
    const Matrix matrix = random_matrix(graph);
    const ParentMap nobody(std::vector<NodeId>(graph.num_nodes(), kNoNode), 0);
    test::expect_equal_functions(
        [&](const Inputs& in) { return split_spmm(matrix.in(in[0].scalar_type()), in[0]); },
        [&](const Inputs& in) {
          return naive_form(matrix, nobody)({in[0], torch::zeros({0, 5}, in[0].options())});
        },
        {random_tensor({graph.num_nodes(), 10}, 3)});
  }
}

TEST(SplitSpmm, SymmetricPromiseGivesTheSameGradient) {
  const Graph graph = grid_graph(5, 4);
  Matrix matrix = random_matrix(graph);
  for (EdgeId s = 0; s < graph.num_edges(); ++s)
    matrix.values[s] = matrix.values[std::min(s, graph.reverse()[s])].item<double>();
  const ParentMap parent = test::random_map(graph.num_nodes(), 4, 8);
  const Inputs in = inputs_for(graph, parent, 3);
  const auto plain = test::evaluate(ours(matrix, parent), in);
  matrix.symmetric = true;
  const auto promised = test::evaluate(ours(matrix, parent), in);
  EXPECT_TRUE(promised.gradients[0].equal(plain.gradients[0]));
  EXPECT_TRUE(promised.gradients[1].equal(plain.gradients[1]));
}

TEST(SplitSpmm, GradientsMatchDifferences) {
  const Graph graph = test::small_graphs()[5].graph;  // self-loops and an isolated node
  const ParentMap parent({1, kNoNode, 0, 1, 1}, 3);
  test::expect_gradients_match_differences(ours(random_matrix(graph), parent),
                                           inputs_for(graph, parent, 3));
}

TEST(SplitSpmm, SameBitsForAnyThreadCount) {
  const Graph graph = test::skewed_graph();
  const ParentMap parent = test::random_map(graph.num_nodes(), 9000, 9);
  for (const std::int64_t channels : {7, 33}) {
    test::expect_same_bits_for_any_thread_count(ours(random_matrix(graph), parent),
                                                inputs_for(graph, parent, channels));
  }
}

TEST(SplitSpmm, TakesTensorsThatAreNotContiguous) {
  const Graph graph = grid_graph(4, 3);
  const ParentMap parent = test::random_map(12, 5, 6);
  const Matrix matrix = random_matrix(graph);
  test::expect_equal_functions(
      [&](const Inputs& in) {
        return ours(matrix, parent)({in[0].t(), in[1].t()});
      },
      [&](const Inputs& in) {
        return naive_form(matrix, parent)({in[0].t(), in[1].t()});
      },
      {random_tensor({6, 12}, 3), random_tensor({3, 5}, 4)});
}

TEST(SplitSpmm, OneGradientMayBeAskedForAlone) {
  const Graph graph = grid_graph(4, 3);
  const ParentMap parent = test::random_map(12, 5, 6);
  const Inputs in = inputs_for(graph, parent, 3);
  const auto both = test::evaluate(ours(random_matrix(graph), parent), in);
  const auto first = test::evaluate(
      [&](const Inputs& one) {
        return ours(random_matrix(graph), parent)({one[0], in[1]});
      },
      {in[0]});
  const auto second = test::evaluate(
      [&](const Inputs& one) {
        return ours(random_matrix(graph), parent)({in[0], one[0]});
      },
      {in[1]});
  EXPECT_TRUE(first.gradients[0].equal(both.gradients[0]));
  EXPECT_TRUE(second.gradients[0].equal(both.gradients[1]));
}

TEST(SplitSpmm, RefusesWrongShapesAndTypes) {
  const Graph graph = path_graph(3);
  const Tensor y = torch::ones({3, 4});
  const auto refusal = [](const SparseOperator& m, const Tensor& rows, const ParentRows* parents) {
    return test::error_of<c10::Error>([&] { split_spmm(m, rows, parents); });
  };
  const SparseOperator unit{graph, {}, {}, false};
  EXPECT_THAT(refusal(unit, torch::ones({4, 4}), nullptr),
              HasSubstr("split_spmm: y must have shape [3, channels] (got [4, 4])"));
  EXPECT_THAT(refusal(unit, torch::ones({3, 5}), nullptr),
              HasSubstr("split_spmm: y must have an even width (got [3, 5])"));
  EXPECT_THAT(refusal(unit, torch::ones({3, 4}, torch::kLong), nullptr),
              HasSubstr("split_spmm: y must be float32 or float64"));
  EXPECT_THAT(refusal({graph, torch::ones({3}), {}, false}, y, nullptr),
              HasSubstr("split_spmm: values must have shape [4] (got [3])"));
  EXPECT_THAT(refusal({graph, {}, torch::ones({4}), false}, y, nullptr),
              HasSubstr("split_spmm: diagonal must have shape [3] (got [4])"));
  EXPECT_THAT(refusal({graph, torch::ones({4}, torch::kFloat64), {}, false}, y, nullptr),
              HasSubstr("must be Float, like x (got Double)"));
  EXPECT_THAT(refusal({graph, torch::ones({4}).set_requires_grad(true), {}, false}, y, nullptr),
              HasSubstr("split_spmm: the matrix must not need a gradient"));
  const ParentRows of_two{torch::ones({1, 2}), ParentMap({0, 0}, 1)};
  EXPECT_THAT(refusal(unit, y, &of_two),
              HasSubstr("split_spmm: parents of 2 nodes for a graph of 3"));
  const ParentRows wide{torch::ones({1, 4}), ParentMap({0, 0, 0}, 1)};
  EXPECT_THAT(refusal(unit, y, &wide),
              HasSubstr("split_spmm: parent rows must have shape [1, 2] (got [1, 4])"));
  const ParentRows doubles{torch::ones({1, 2}, torch::kFloat64), ParentMap({0, 0, 0}, 1)};
  EXPECT_NE(refusal(unit, y, &doubles), "no error");
}

}  // namespace
}  // namespace hgnet
