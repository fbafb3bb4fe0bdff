#include "hgnet/ops/spmm.hpp"

#include <gtest/gtest.h>

#include "hgnet/core/random.hpp"
#include "hgnet/graph/generators.hpp"
#include "naive.hpp"
#include "support/gradients.hpp"
#include "support/graphs.hpp"

namespace hgnet {
namespace {

using test::Inputs;
using test::random_tensor;
using torch::Tensor;

/// With values and diagonal as inputs 0 and 1, x as input 2.
test::Function ours(const Graph& graph) {
  return [graph](const Inputs& in) { return spmm({graph, in[0], in[1], false}, in[2]); };
}
test::Function naive_form(const Graph& graph) {
  return [graph](const Inputs& in) { return naive::spmm({graph, in[0], in[1], false}, in[2]); };
}
Inputs inputs_for(const Graph& graph, std::int64_t channels) {
  return {random_tensor({graph.num_edges()}, 1), random_tensor({graph.num_nodes()}, 2),
          random_tensor({graph.num_nodes(), channels}, 3)};
}

SparseMatrix random_matrix(std::int64_t rows, std::int64_t columns, double density) {
  Generator generator(9);
  std::vector<float> dense(rows * columns, 0.0F);
  for (float& x : dense) {
    if (generator.uniform() < density) x = static_cast<float>(generator.uniform()) + 0.1F;
  }
  return SparseMatrix::from_dense(dense, rows, columns);
}

TEST(Spmm, EqualsTheDenseProductOnEveryKindOfGraph) {
  for (const auto& [name, graph] : test::small_graphs()) {
    SCOPED_TRACE(name);
    test::expect_equal_functions(ours(graph), naive_form(graph), inputs_for(graph, 5));
  }
}

TEST(Spmm, EqualsTheDenseProductAtEveryWidth) {
  const Graph graph = grid_graph(4, 3);
  for (const std::int64_t channels : {0,  1,  2,  3,  4,  5,  7,   8,   9,   15,  16,  17,
                                      31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 300, 1433}) {
    SCOPED_TRACE(channels);
    test::expect_equal_functions(ours(graph), naive_form(graph), inputs_for(graph, channels));
  }
}

TEST(Spmm, UnitValuesAndNoDiagonalAreTheDefault) {
  for (const auto& [name, graph] : test::small_graphs()) {
    SCOPED_TRACE(name);
    test::expect_equal_functions(
        [&](const Inputs& in) {
          return spmm({graph, {}, {}, false}, in[0]);
        },
        [&](const Inputs& in) {
          return naive::spmm({graph, {}, {}, false}, in[0]);
        },
        {random_tensor({graph.num_nodes(), 6}, 1)});
  }
}

TEST(Spmm, SymmetricPromiseGivesTheSameGradient) {
  const Graph graph = test::skewed_graph();
  std::vector<double> by_slot(graph.num_edges());
  for (EdgeId s = 0; s < graph.num_edges(); ++s) {
    by_slot[s] = static_cast<double>(std::min(s, graph.reverse()[s]) % 17);
  }
  const Tensor values = torch::tensor(by_slot, torch::kFloat64);
  const Inputs x{random_tensor({graph.num_nodes(), 3}, 1)};
  const auto promised = test::evaluate(
      [&](const Inputs& in) {
        return spmm({graph, values, {}, true}, in[0]);
      },
      x);
  const auto plain = test::evaluate(
      [&](const Inputs& in) {
        return spmm({graph, values, {}, false}, in[0]);
      },
      x);
  EXPECT_TRUE(promised.gradients[0].equal(plain.gradients[0]));
}

TEST(Spmm, GradientsMatchDifferences) {
  const Graph graph = test::small_graphs()[5].graph;  // self-loops and an isolated node
  test::expect_gradients_match_differences(ours(graph), inputs_for(graph, 3));
}

TEST(Spmm, SameBitsForAnyThreadCount) {
  const Graph graph = test::skewed_graph();
  for (const std::int64_t channels : {7, 33}) {
    test::expect_same_bits_for_any_thread_count(ours(graph), inputs_for(graph, channels));
  }
}

TEST(Spmm, LargeOperandsTakeThePrefetchingPath) {
  Generator generator(4);
  const Graph graph = random_graph(2000, 9000, generator);  // rows of 160 floats: more than 1 MiB
  const Tensor x = random_tensor({graph.num_nodes(), 160}, 1);
  test::expect_equal_functions(
      [&](const Inputs& in) {
        return spmm({graph, {}, {}, false}, in[0]);
      },
      [&](const Inputs& in) {
        return naive::spmm({graph, {}, {}, false}, in[0]);
      },
      {x});
}

TEST(Spmm, LargeResultsAreStoredPastTheCaches) {
  Generator generator(5);
  const Graph graph =
      random_graph(40'000, 60'000, generator);  // rows of 64 floats: more than 8 MiB
  const Tensor x = random_tensor({graph.num_nodes(), 64}, 1).to(torch::kFloat32);
  const Tensor y = spmm({graph, {}, {}, true}, x);
  // The same from two halves that are small enough for ordinary stores.
  const Tensor left = spmm({graph, {}, {}, true}, x.slice(1, 0, 32).contiguous());
  const Tensor right = spmm({graph, {}, {}, true}, x.slice(1, 32).contiguous());
  EXPECT_TRUE(y.equal(torch::cat({left, right}, 1)));
}

TEST(Spmm, TakesTensorsThatAreNotContiguous) {
  const Graph graph = grid_graph(4, 3);
  const Tensor x = random_tensor({6, 12}, 1);
  EXPECT_TRUE(
      spmm({graph, {}, {}, false}, x.t()).equal(spmm({graph, {}, {}, false}, x.t().contiguous())));
}

TEST(SpmmSparseFeatures, EqualsTheDenseProduct) {
  for (const auto& matrix : {random_matrix(30, 50, 0.1), random_matrix(1, 4, 1.0), SparseMatrix(),
                             SparseMatrix(3, {0, 0, 0}, {}, {})}) {
    const Tensor values = random_tensor({matrix.num_entries()}, 1);
    const Tensor x = random_tensor({matrix.num_columns(), 7}, 2);
    test::expect_equal_functions(
        [&](const Inputs& in) { return spmm(matrix, in[1], in[0]); },
        [&](const Inputs& in) { return naive::spmm(matrix, in[1], in[0]); }, {values, x});
  }
}

TEST(SpmmSparseFeatures, HasTheGradientOfTheDenseProductForAnyWidth) {
  const SparseMatrix matrix = random_matrix(300, 5, 0.5);
  for (const std::int64_t width : {0, 1, 3, 8, 15, 33, 64, 131}) {
    SCOPED_TRACE(width);
    test::expect_equal_functions(
        [&](const Inputs& in) { return spmm(matrix, in[1], in[0]); },
        [&](const Inputs& in) { return naive::spmm(matrix, in[1], in[0]); },
        {random_tensor({matrix.num_entries()}, 1), random_tensor({5, width}, 2)});
  }
}

TEST(SpmmSparseFeatures, UsesTheMatrixOwnValues) {
  const SparseMatrix matrix = random_matrix(30, 50, 0.1);
  const Tensor values =
      torch::tensor(std::vector<float>(matrix.values().begin(), matrix.values().end()))
          .to(torch::kFloat64);
  test::expect_equal_functions([&](const Inputs& in) { return spmm(matrix, in[0]); },
                               [&](const Inputs& in) { return naive::spmm(matrix, in[0], values); },
                               {random_tensor({50, 16}, 1)});
}

TEST(SpmmSparseFeatures, GradientsMatchDifferencesAndBitsDoNotDependOnThreads) {
  const SparseMatrix small = random_matrix(6, 9, 0.4);
  const auto function = [](const SparseMatrix& matrix) {
    return [matrix](const Inputs& in) { return spmm(matrix, in[1], in[0]); };
  };
  test::expect_gradients_match_differences(
      function(small), {random_tensor({small.num_entries()}, 1), random_tensor({9, 2}, 2)});
  const SparseMatrix large = random_matrix(20000, 500, 0.02);
  test::expect_same_bits_for_any_thread_count(
      function(large), {random_tensor({large.num_entries()}, 1), random_tensor({500, 32}, 2)});
}

TEST(SparseLinear, EqualsTheProductWithTheTransposedWeights) {
  for (const auto& matrix : {random_matrix(30, 50, 0.1), random_matrix(300, 5, 0.5),
                             random_matrix(1, 4, 1.0), SparseMatrix(3, {0, 0, 0}, {}, {})}) {
    for (const std::int64_t width : {1, 7, 32}) {
      const Tensor weight = random_tensor({width, matrix.num_columns()}, 2);
      test::expect_equal_functions([&](const Inputs& in) { return sparse_linear(matrix, in[0]); },
                                   [&](const Inputs& in) { return spmm(matrix, in[0].t()); },
                                   {weight});
      const Tensor values = random_tensor({matrix.num_entries()}, 1);
      test::expect_equal_functions(
          [&](const Inputs& in) {
            return sparse_linear(matrix, in[0], values.to(in[0].scalar_type()));
          },
          [&](const Inputs& in) { return spmm(matrix, in[0].t(), values.to(in[0].scalar_type())); },
          {weight});
    }
  }
}

TEST(SparseLinear, GradientsMatchDifferencesAndBitsDoNotDependOnThreads) {
  const SparseMatrix small = random_matrix(6, 9, 0.4);
  const auto function = [](const SparseMatrix& matrix) {
    return [matrix](const Inputs& in) { return sparse_linear(matrix, in[0]); };
  };
  test::expect_gradients_match_differences(function(small), {random_tensor({2, 9}, 2)});
  const SparseMatrix large = random_matrix(20000, 500, 0.02);
  test::expect_same_bits_for_any_thread_count(function(large), {random_tensor({32, 500}, 2)});
}

TEST(SparseLinear, RefusesWrongShapes) {
  const SparseMatrix matrix(2, {0}, {}, {});
  EXPECT_THROW(sparse_linear(matrix, torch::ones({2, 3})), c10::Error);
  EXPECT_THROW(sparse_linear(matrix, torch::ones({3, 2}), torch::ones({1})), c10::Error);
}

TEST(Spmm, RefusesWrongShapesAndTypes) {
  const Graph graph = path_graph(3);
  const auto refuses = [&](const SparseOperator& m, const Tensor& x, const std::string& message) {
    try {
      spmm(m, x);
      ADD_FAILURE() << "accepted: " << message;
    } catch (const c10::Error& error) {
      EXPECT_NE(std::string(error.what_without_backtrace()).find(message), std::string::npos)
          << error.what_without_backtrace();
    }
  };
  const Tensor x = torch::ones({3, 2});
  refuses({graph, {}, {}, false}, torch::ones({4, 2}),
          "spmm: x must have shape [3, channels] (got [4, 2])");
  refuses({graph, {}, {}, false}, torch::ones({3}),
          "spmm: x must have shape [3, channels] (got [3])");
  refuses({graph, {}, {}, false}, torch::ones({3, 2}, torch::kLong),
          "spmm: x must be float32 or float64");
  refuses({graph, {}, {}, false}, Tensor(), "spmm: x is an undefined tensor");
  refuses({graph, {}, {}, false}, torch::ones({3, 2}).to_sparse(), "must be a dense CPU tensor");
  refuses({graph, torch::ones({3}), {}, false}, x, "spmm: values must have shape [4] (got [3])");
  refuses({graph, torch::ones({4}, torch::kDouble), {}, false}, x,
          "spmm: values must be Float, like x (got Double)");
  refuses({graph, {}, torch::ones({4}), false}, x, "spmm: diagonal must have shape [3] (got [4])");
  EXPECT_THROW(spmm(SparseMatrix(2, {0}, {}, {}), torch::ones({3, 2})), c10::Error);
}

}  // namespace
}  // namespace hgnet
