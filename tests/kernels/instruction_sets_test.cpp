// Every instruction set that the library was compiled for and this machine has gives the same
// results, so that what the other tests show for the best one holds for all. At least one case for
// each kernel of src/kernels.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hwy/highway.h>
#include <hwy/targets.h>

#include <cmath>

#include "hgnet/coarsening/contraction.hpp"
#include "hgnet/kernels/instruction_set.hpp"
#include "hgnet/ops/attention.hpp"
#include "hgnet/ops/graph_linear.hpp"
#include "hgnet/ops/linear.hpp"
#include "hgnet/ops/merge.hpp"
#include "hgnet/ops/messages.hpp"
#include "hgnet/ops/norm_act.hpp"
#include "hgnet/ops/segment.hpp"
#include "hgnet/ops/softmax.hpp"
#include "hgnet/ops/spmm.hpp"
#include "hgnet/train/adam.hpp"
#include "kernels/softmax.hpp"
#include "support/gradients.hpp"
#include "support/graphs.hpp"
#include "support/operators.hpp"

namespace hgnet {
namespace {

using test::Inputs;
using test::random_tensor;
using torch::Tensor;

void use_targets(std::int64_t targets) {
  hwy::SetSupportedTargetsForTest(targets);
  hwy::GetChosenTarget().DeInit();
}

/// Calls body once for each instruction set that the kernels were compiled for and the machine has,
/// while the kernels use it. Returns their names.
template <class Body>
std::vector<std::string> for_each_instruction_set(const Body& body) {
  std::vector<std::string> names;
  for (std::int64_t left = hwy::SupportedTargets(); left != 0; left &= left - 1) {
    const std::int64_t target = left & -left;
    use_targets(target);
    if (instruction_set() == hwy::TargetName(target)) {
      SCOPED_TRACE(instruction_set());
      body();
      names.push_back(instruction_set());
    }
    use_targets(0);
  }
  return names;
}

TEST(InstructionSets, FromTheBestOfTheMachineToOneThatEveryMachineHas) {
  const std::string best = instruction_set();
  const std::vector<std::string> names = for_each_instruction_set([] {});
  EXPECT_THAT(names, testing::Contains(best));
  EXPECT_THAT(names, testing::Contains(hwy::TargetName(HWY_STATIC_TARGET)));
  EXPECT_EQ(instruction_set(), best);
  std::cout << names.size() << " instruction sets, the best " << best << "\n";
}

TEST(InstructionSets, AllTakeTheSameStepsOfAdam) {
  const auto after_steps = [](torch::ScalarType type) {
    const Tensor p = random_tensor({37}, 1).detach().to(type).requires_grad_();
    Adam adam({p}, {.learning_rate = 0.01, .weight_decay = 0.1});
    for (std::uint64_t step = 0; step < 20; ++step) {
      p.mutable_grad() = random_tensor({37}, 2 + step).detach().to(type);
      adam.step();
    }
    return p.detach().to(torch::kFloat64);
  };
  const Tensor expected = after_steps(torch::kFloat64);
  for_each_instruction_set([&] {
    EXPECT_TRUE(after_steps(torch::kFloat64).allclose(expected, 1e-12, 1e-12));
    EXPECT_TRUE(after_steps(torch::kFloat32).allclose(expected, 1e-4, 1e-5));
  });
}

TEST(InstructionSets, AllTakeExponentialsOfAnyCount) {
  for_each_instruction_set([] {
    for (const std::size_t count : {0, 1, 3, 4, 16, 37}) {
      std::vector<float> x(count);
      for (std::size_t i = 0; i < count; ++i) x[i] = 0.3F * static_cast<float>(i) - 5;
      if (count > 3) x[2] = NAN;
      const std::vector<float> before = x;
      kernels::exponentials(x);
      for (std::size_t i = 0; i < count; ++i) {
        if (std::isnan(before[i])) {
          EXPECT_TRUE(std::isnan(x[i]));
        } else {
          EXPECT_NEAR(x[i], std::exp(before[i]), 1e-6 * std::exp(before[i])) << i;
        }
      }
    }
  });
}

TEST(InstructionSets, AllDrawTheSameDropout) {
  const auto factors = [](torch::ScalarType type) {
    return dropout_factors({700}, {0.4, 11}, type).to(torch::kFloat64);
  };
  const Tensor expected = factors(torch::kFloat64);
  for_each_instruction_set([&] {
    EXPECT_TRUE(factors(torch::kFloat64).equal(expected));
    EXPECT_TRUE(factors(torch::kFloat32).allclose(expected, 1e-6, 0));
  });
}

struct Case {
  std::string name;
  test::Function function;
  Inputs inputs;
};

/// Gathers and sums along the edges of a graph, rows of c channels.
void add_graph_cases(const Graph& graph, std::int64_t c, std::vector<Case>& cases) {
  const std::int64_t n = graph.num_nodes();
  const std::int64_t e = graph.num_edges();
  const test::Matrix matrix = test::random_matrix(graph);
  cases.push_back({"spmm",
                   [=](const Inputs& in) {
                     return spmm({graph, in[0], in[1], false}, in[2]);
                   },
                   {random_tensor({e}, 1), random_tensor({n}, 2), random_tensor({n, c}, 3)}});
  cases.push_back({"spmm of ones",
                   [=](const Inputs& in) {
                     return spmm({graph, {}, {}, true}, in[0]);
                   },
                   {random_tensor({n, c}, 3)}});
  cases.push_back(
      {"graph_linear",
       [=](const Inputs& in) {
         return graph_linear(matrix.in(in[0].scalar_type()), in[0], in[1], {.root = true}).y;
       },
       {random_tensor({n, c}, 11), random_tensor({2 * c + 4, c}, 12)}});
  cases.push_back({"relu_messages",
                   [=](const Inputs& in) {
                     const Tensor values = matrix.values.to(in[0].scalar_type());
                     return relu_messages(graph, values, in[0], {in[1]});
                   },
                   {random_tensor({n, c}, 16), random_tensor({e, c}, 17)}});
  cases.push_back({"segment_softmax",
                   [=](const Inputs& in) { return segment_softmax(graph, in[0]); },
                   {random_tensor({e, c}, 6)}});
  std::vector<float> scores(e);
  for (EdgeId s = 0; s < e; ++s) scores[s] = static_cast<float>((s * 7) % 11);
  const Contraction contraction = contract_edges<float>(graph, scores);
  cases.push_back({"merge_rows",
                   [=](const Inputs& in) { return merge_rows(in[0], in[1], contraction).rows; },
                   {random_tensor({n, c}, 18), random_tensor({e}, 19)}});
}

void add_attention_case(const Graph& graph, std::int64_t heads, std::int64_t channels,
                        std::vector<Case>& cases) {
  const std::int64_t n = graph.num_nodes();
  const Tensor keep = random_tensor({graph.num_edges() + n, heads}, 5).abs();
  cases.push_back({"attention, " + std::to_string(heads) + " heads of " + std::to_string(channels),
                   [=](const Inputs& in) {
                     return attention(graph, in[0], in[1], in[2],
                                      {.keep = keep.to(in[0].scalar_type())});
                   },
                   {random_tensor({n, heads * channels}, 7), random_tensor({n, heads}, 8),
                    random_tensor({n, heads}, 9)}});
}

/// Row by row or column by column, without a graph.
void add_row_cases(std::int64_t n, std::int64_t c, std::vector<Case>& cases) {
  const ParentMap map = test::random_map(static_cast<NodeId>(n), 5, 1);
  for (const double dropout : {0.0, 0.5}) {
    for (const auto& [activation, name] : EnumNames<Activation>::values) {
      cases.push_back(
          {name,
           [dropout, act = activation](const Inputs& in) {
             return norm_act(in[0], in[1], nullptr, act, {dropout, 7}, in[2]);
           },
           {random_tensor({n, c}, 13), random_tensor({c}, 14), random_tensor({n, c}, 15)}});
    }
  }
  cases.push_back({"batch norm",
                   [](const Inputs& in) {
                     const Tensor none = torch::zeros({in[1].size(0)}, in[1].scalar_type());
                     const BatchNormTensors norm{in[1], in[2], none.clone(), none + 1, true};
                     return norm_act(in[0], {}, &norm, Activation::kElu);
                   },
                   {random_tensor({n, c}, 20), random_tensor({c}, 21), random_tensor({c}, 22)}});
  cases.push_back({"segment_max",
                   [=](const Inputs& in) { return segment_max(in[0], map); },
                   {random_tensor({n, c}, 4)}});
  cases.push_back({"add_gathered",
                   [=](const Inputs& in) { return add_gathered(in[0], in[1], map); },
                   {random_tensor({n, c}, 23), random_tensor({5, c}, 5)}});
  cases.push_back({"small_linear",
                   [](const Inputs& in) { return small_linear(in[0], in[1]); },
                   {random_tensor({n, c}, 24), random_tensor({9, c}, 25)}});
}

TEST(InstructionSets, AllGiveTheSameResults) {
  const Graph graph = test::small_graphs().back().graph;
  std::vector<Case> cases;
  for (const std::int64_t c : {1, 3, 4, 8, 12, 21, 75, 150}) {
    add_graph_cases(graph, c, cases);
    add_row_cases(graph.num_nodes(), c, cases);
    add_attention_case(graph, 3, c, cases);
  }
  for (const auto& [heads, channels] : {std::pair{8, 8}, {8, 16}, {4, 8}, {4, 16}, {12, 4}})
    add_attention_case(graph, heads, channels, cases);
  cases.push_back({"edge_score",
                   [=](const Inputs& in) { return edge_score(graph, in[0], in[1]); },
                   {random_tensor({graph.num_nodes(), 2}, 10), random_tensor({1}, 26)}});

  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const auto expected = test::evaluate(c.function, c.inputs);
    Inputs single;
    for (const Tensor& input : c.inputs) single.push_back(input.to(torch::kFloat32));
    for_each_instruction_set([&] {
      const auto got = test::evaluate(c.function, c.inputs);
      const auto rounded = test::evaluate(c.function, single);
      EXPECT_TRUE(got.output.allclose(expected.output, 1e-12, 1e-12));
      EXPECT_TRUE(rounded.output.to(torch::kFloat64).allclose(expected.output, 1e-4, 1e-5));
      for (std::size_t i = 0; i < c.inputs.size(); ++i) {
        EXPECT_TRUE(got.gradients[i].allclose(expected.gradients[i], 1e-11, 1e-11)) << i;
        EXPECT_TRUE(
            rounded.gradients[i].to(torch::kFloat64).allclose(expected.gradients[i], 1e-3, 1e-4))
            << i;
      }
    });
  }
}

}  // namespace
}  // namespace hgnet
