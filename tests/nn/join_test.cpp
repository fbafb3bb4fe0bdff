#include "hgnet/nn/join.hpp"

#include <gtest/gtest.h>

#include "nn/checks.hpp"

namespace hgnet {
namespace {

using test::DenseGraph;
using test::Inputs;
using torch::Tensor;

constexpr std::int64_t kJoinWidth = 4;

FineLevel level_of(const Graph& graph) {
  FineLevel level;
  level.graph = graph;
  level.parent = test::parents_of(graph.num_nodes());
  return level;
}

/// The row of each node's parent, node by node; zeros for a node without one.
Tensor parents_rows(const Tensor& coarse, const ParentMap& parent) {
  std::vector<Tensor> rows;
  for (NodeId v = 0; v < parent.num_children(); ++v) {
    const NodeId p = parent.parent(v);
    rows.push_back(p == kNoNode ? torch::zeros({coarse.size(1)}, coarse.options()) : coarse[p]);
  }
  return torch::stack(rows);
}

/// The layer inside `join`, which has a test of its own, on rows that are joined here.
Tensor naive_join(JoinKind kind, Join& join, const FineLevel& level, const Tensor& x,
                  const Tensor& coarse, const Tensor& divided) {
  Generator generator(1);
  const auto layer = [&](const Tensor& rows, const ParentRows& parents = {}) {
    return join.block->layer->forward(level.graph, rows, {}, generator, parents);
  };
  const Tensor above = parents_rows(divided, level.parent);
  switch (kind) {
    case JoinKind::kRgcn: return layer(x, {coarse, level.parent});
    case JoinKind::kSum: return layer(x + above);
    case JoinKind::kConcat: return layer(torch::cat({x, above}, 1));
    case JoinKind::kParent: return layer(x, {divided, level.parent});
  }
  throw std::logic_error("unknown join");
}

void expect_join(JoinKind kind, bool scored) {
  Generator generator(1);
  JoinOptions options;
  options.layer = {.in = kJoinWidth, .out = 3};
  const auto join = make_join(kind, options, generator);
  test::randomise(*join);
  for (const DenseGraph& graph : test::plain_graphs()) {
    SCOPED_TRACE(join->text() + (scored ? ", scored" : "") + ", on " + graph.name);
    const NodeId nodes = graph.graph.num_nodes();
    FineLevel level = level_of(graph.graph);
    const std::int64_t parents = level.parent.num_parents();
    Inputs inputs{test::random_rows({nodes, kJoinWidth}, 1),
                  test::random_rows({parents, kJoinWidth}, 2)};
    if (scored) inputs.push_back(test::random_rows({parents}, 3).abs() + 0.5);
    test::expect_naive(
        *join,
        [&](const Inputs& in) {
          level.x = in[0];
          level.score = scored ? in[2] : Tensor();
          return join->forward(level, in[1], generator);
        },
        [&](const Inputs& in) {
          const Tensor divided = scored ? torch::diag(1 / in[2]).mm(in[1]) : in[1];
          return naive_join(kind, *join, level, in[0], in[1], divided);
        },
        inputs);
  }
}

TEST(Join, CombinesRowsWithThoseOfParents) {
  for (const JoinKind kind :
       {JoinKind::kRgcn, JoinKind::kSum, JoinKind::kConcat, JoinKind::kParent})
    expect_join(kind, false);
}

TEST(Join, AllButRgcnDivideByTheScore) {
  for (const JoinKind kind : {JoinKind::kSum, JoinKind::kConcat, JoinKind::kParent})
    expect_join(kind, true);
  Generator generator(1);
  JoinOptions options;
  options.layer = {.in = kJoinWidth, .out = 3};
  const auto rgcn = make_join(JoinKind::kRgcn, options, generator);
  const DenseGraph graph = test::plain_graphs().back();
  FineLevel level = level_of(graph.graph);
  level.x = torch::randn({graph.graph.num_nodes(), kJoinWidth});
  const Tensor coarse = torch::randn({level.parent.num_parents(), kJoinWidth});
  const Tensor without = rgcn->forward(level, coarse, generator);
  level.score = torch::full({level.parent.num_parents()}, 3.0);
  EXPECT_TRUE(rgcn->forward(level, coarse, generator).equal(without));
}

}  // namespace
}  // namespace hgnet
