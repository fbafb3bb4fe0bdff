// Every instruction set the library was compiled for and this machine has gives the same results,
// so that what the other tests show for the best one holds for all.

#include <gtest/gtest.h>
#include <hwy/highway.h>
#include <hwy/targets.h>

#include "hgnet/kernels/instruction_set.hpp"
#include "hgnet/ops/attention.hpp"
#include "hgnet/ops/graph_linear.hpp"
#include "hgnet/ops/norm_act.hpp"
#include "hgnet/ops/segment.hpp"
#include "hgnet/ops/softmax.hpp"
#include "hgnet/ops/spmm.hpp"
#include "hgnet/train/adam.hpp"
#include "support/gradients.hpp"
#include "support/graphs.hpp"
#include "support/operators.hpp"

namespace hgnet {
namespace {

using test::Inputs;
using test::random_tensor;

void use_targets(std::int64_t targets) {
  hwy::SetSupportedTargetsForTest(targets);
  hwy::GetChosenTarget().DeInit();
}

/// Calls body with each that the machine has; returns how many there are.
template <class Body>
int for_each_target(const Body& body) {
  int count = 0;
  for (std::int64_t left = hwy::SupportedTargets() & HWY_TARGETS; left != 0; left &= left - 1) {
    body(left & -left);
    use_targets(0);
    ++count;
  }
  return count;
}

TEST(InstructionSets, AllTakeTheSameStepsOfAdam) {
  const auto after_steps = [](torch::ScalarType type) {
    const torch::Tensor p = random_tensor({37}, 1).detach().to(type).requires_grad_();
    Adam adam({p}, {.learning_rate = 0.01, .weight_decay = 0.1});
    for (std::uint64_t step = 0; step < 20; ++step) {
      p.mutable_grad() = random_tensor({37}, 2 + step).detach().to(type);
      adam.step();
    }
    return p.detach().to(torch::kFloat64);
  };
  const torch::Tensor expected = after_steps(torch::kFloat64);
  for_each_target([&](std::int64_t target) {
    use_targets(target);
    EXPECT_TRUE(after_steps(torch::kFloat64).allclose(expected, 1e-12, 1e-12)) << instruction_set();
    EXPECT_TRUE(after_steps(torch::kFloat32).allclose(expected, 1e-4, 1e-5)) << instruction_set();
  });
}

TEST(InstructionSets, AllGiveTheSameResults) {
  const Graph graph = test::small_graphs().back().graph;
  const ParentMap map = test::random_map(graph.num_nodes(), 5, 1);
  const std::int64_t n = graph.num_nodes();
  const test::Matrix matrix = test::random_matrix(graph);
  struct Case {
    const char* name;
    test::Function function;
    Inputs inputs;
  };
  std::vector<Case> cases;
  for (const std::int64_t c : {1, 3, 4, 8, 12, 21, 150}) {
    cases.push_back(
        {"spmm",
         [&](const Inputs& in) {
           return spmm({graph, in[0], in[1], false}, in[2]);
         },
         {random_tensor({graph.num_edges()}, 1), random_tensor({n}, 2), random_tensor({n, c}, 3)}});
    cases.push_back(
        {"graph_linear",
         [matrix](const Inputs& in) {
           return graph_linear(matrix.in(in[0].scalar_type()), in[0], in[1], {.root = true}).y;
         },
         {random_tensor({n, c}, 11), random_tensor({2 * c + 4, c}, 12)}});
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
    cases.push_back({"segment_max",
                     [&](const Inputs& in) { return segment_max(in[0], map); },
                     {random_tensor({n, c}, 4)}});
    cases.push_back({"gather",
                     [&](const Inputs& in) { return gather(in[0], map); },
                     {random_tensor({5, c}, 5)}});
    cases.push_back({"segment_softmax",
                     [&](const Inputs& in) { return segment_softmax(graph, in[0]); },
                     {random_tensor({graph.num_edges(), c}, 6)}});
    cases.push_back(
        {"attention",
         [&](const Inputs& in) { return attention(graph, in[0], in[1], in[2]); },
         {random_tensor({n, 3 * c}, 7), random_tensor({n, 3}, 8), random_tensor({n, 3}, 9)}});
  }
  cases.push_back({"edge_score",
                   [&](const Inputs& in) { return edge_score(graph, in[0]); },
                   {random_tensor({n, 2}, 10)}});

  const int count = for_each_target([&](std::int64_t target) {
    for (const Case& c : cases) {
      SCOPED_TRACE(c.name);
      use_targets(0);
      const auto expected = test::evaluate(c.function, c.inputs);
      use_targets(target);
      ASSERT_EQ(instruction_set(), hwy::TargetName(target));
      const auto got = test::evaluate(c.function, c.inputs);
      EXPECT_TRUE(got.output.allclose(expected.output, 1e-12, 1e-12)) << instruction_set();
      for (std::size_t i = 0; i < c.inputs.size(); ++i) {
        EXPECT_TRUE(got.gradients[i].allclose(expected.gradients[i], 1e-11, 1e-11))
            << instruction_set();
      }
      Inputs single;
      for (const auto& input : c.inputs) single.push_back(input.to(torch::kFloat32));
      const auto rounded = test::evaluate(c.function, single);
      EXPECT_TRUE(rounded.output.to(torch::kFloat64).allclose(expected.output, 1e-4, 1e-5))
          << instruction_set();
      for (std::size_t i = 0; i < c.inputs.size(); ++i) {
        EXPECT_TRUE(
            rounded.gradients[i].to(torch::kFloat64).allclose(expected.gradients[i], 1e-3, 1e-4))
            << instruction_set();
      }
    }
  });
  EXPECT_GE(count, 1);
  std::cout << count << " instruction sets, the best " << instruction_set() << "\n";
}

}  // namespace
}  // namespace hgnet
