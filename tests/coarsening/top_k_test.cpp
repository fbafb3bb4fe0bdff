#include "hgnet/coarsening/top_k.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "hgnet/core/error.hpp"
#include "hgnet/core/random.hpp"
#include "hgnet/graph/batch.hpp"
#include "hgnet/graph/generators.hpp"
#include "naive.hpp"
#include "support/golden.hpp"
#include "support/graphs.hpp"

namespace hgnet {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Keep, RoundsUpWithoutBeingFooledByRounding) {
  EXPECT_EQ((Keep{.ratio = 0.5}.of(7)), 4);
  EXPECT_EQ((Keep{.ratio = 0.07}.of(100)), 7);
  EXPECT_EQ((Keep{.ratio = 0.55}.of(100)), 55);
  for (const double wrong : {0.0, -0.5, 1.5, std::nan("")}) {
    EXPECT_THROW(static_cast<void>((Keep{.ratio = wrong}.of(5))), InvalidHierarchy);
  }
  EXPECT_EQ((Keep{.ratio = 1.0}.of(5)), 5);
  EXPECT_EQ((Keep{.ratio = 0.5}.of(0)), 0);
  EXPECT_EQ((Keep{.ratio = 0.5, .count = 200}.of(1000)), 200);
  EXPECT_EQ((Keep{.ratio = 0.5, .count = 200}.of(150)), 150);
}

TEST(TopK, KeepsTheHighestOfEachGraphInOrder) {
  const ParentMap graphs({0, 0, 0, 0, 1, 1, 1}, 2);
  const std::vector<float> scores{1, 3, 2, 3, -1, -2, -1};
  EXPECT_THAT(top_k<float>(scores, graphs, {.ratio = 0.5}).parents(),
              ElementsAre(-1, 0, -1, 1, 2, -1, 3));
  EXPECT_THAT(top_k<float>(scores, graphs, {.ratio = 0.25}).parents(),
              ElementsAre(-1, 0, -1, -1, 1, -1, -1));
  EXPECT_THAT(top_k<float>(scores, graphs, {.count = 9}).parents(),
              ElementsAre(0, 1, 2, 3, 4, 5, 6));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(top_k<float>(std::vector<float>{nan, -5, nan, -6, 0, 0, nan}, graphs, {.ratio = 0.5})
                  .parents(),
              ElementsAre(-1, 0, -1, 1, 2, 3, -1));
  EXPECT_THROW(top_k<float>(std::vector<float>{1}, graphs, {}), InvalidHierarchy);
}

TEST(TopK, AgreesWithTheTestVectors) {
  int checked = 0;
  for (const auto& c : test::golden_cases()) {
    if (c.name != "topk") continue;
    SCOPED_TRACE(c.file.string());
    const torch::Tensor p = c.parameters_and_x().at("weight").view({-1});
    const torch::Tensor y = c.input("x").matmul(p) / p.norm();
    const torch::Tensor batch = c.input("batch");
    std::vector<NodeId> graph_of_node;
    for (std::int64_t v = 0; v < batch.size(0); ++v) graph_of_node.push_back(batch[v].item<int>());
    const ParentMap map = top_k<float>(std::span<const float>(y.data_ptr<float>(), y.numel()),
                                       ParentMap(graph_of_node, graph_of_node.back() + 1),
                                       {.ratio = c.json.at("inputs").at("ratio").get<double>()});
    const torch::Tensor kept = c.output("kept");
    ASSERT_EQ(map.num_parents(), kept.size(0));
    for (NodeId k = 0; k < map.num_parents(); ++k) {
      EXPECT_EQ(map.members(k).front(), kept[k].item<std::int64_t>());
    }
    ++checked;
  }
  EXPECT_GT(checked, 0);
}

/// (A + I)^2 without its diagonal, as a matrix.
torch::Tensor dense_square(const Graph& graph) {
  std::vector<double> weights(graph.num_edges(), 1.0);
  if (graph.has_weights()) weights.assign(graph.weights().begin(), graph.weights().end());
  const torch::Tensor eye = torch::eye(graph.num_nodes(), torch::kFloat64);
  const torch::Tensor a = naive::dense(graph, torch::tensor(weights, torch::kFloat64)) + eye;
  return a.matmul(a) * (1 - eye);
}

void expect_equal(const Graph& squared, const torch::Tensor& expected) {
  EXPECT_NO_THROW(Graph::from_csr(squared.parts()));
  EXPECT_EQ(squared.num_edges(), expected.count_nonzero().item<std::int64_t>());
  const std::vector<double> entries(squared.weights().begin(), squared.weights().end());
  EXPECT_TRUE(naive::dense(squared, torch::tensor(entries, torch::kFloat64))
                  .allclose(expected, 1e-6, 1e-6));
}

TEST(SquaredGraph, EqualsTheDenseProduct) {
  Generator generator(1);
  std::vector<test::NamedGraph> graphs = test::small_graphs();
  EdgeList weighted;
  for (int i = 0; i < 60; ++i) {
    weighted.source.push_back(static_cast<std::int64_t>(generator.below(25)));
    weighted.target.push_back(static_cast<std::int64_t>(generator.below(25)));
    weighted.weight.push_back(static_cast<float>(generator.uniform()));
  }
  graphs.push_back({"weighted", Graph::from_edges(25, weighted)});
  for (const auto& [name, graph] : graphs) {
    SCOPED_TRACE(name);
    expect_equal(squared_graph(graph), dense_square(graph));
  }
}

TEST(SquaredGraph, StopsAtTheLimitInsteadOfFillingMemory) {
  EdgeList star;
  for (int i = 1; i <= 100000; ++i) {
    star.source.push_back(0);
    star.target.push_back(i);
  }
  const Graph graph = Graph::from_edges(100001, star);  // its square has 10^10 edges
  try {
    squared_graph(graph, 1'000'000);
    FAIL();
  } catch (const InvalidGraph& error) {
    EXPECT_THAT(error.what(), HasSubstr("more than 1000000 directed edges"));
  }
}

TEST(SquaredGraph, OfKeptNodesIsTheSquareRestrictedToThem) {
  Generator generator(5);
  // Sparse, dense enough for the dense product, and a batch of both with single nodes in between.
  const Graph sparse = random_graph(90, 300, generator);
  const Graph dense = random_graph(40, 200, generator);
  const Graph lone = Graph::from_edges(3, {});
  const std::vector<const Graph*> several{&lone, &dense, &sparse, &lone, &dense, &lone};
  for (const Graph& graph :
       {grid_graph(9, 9), sparse, squared_graph(dense), Batch::joined(several)}) {
    std::vector<NodeId> parent(graph.num_nodes(), kNoNode);
    std::vector<std::int64_t> kept_nodes;
    for (NodeId v = 0; v < graph.num_nodes(); ++v) {
      if (generator.below(2) == 0) continue;
      parent[v] = static_cast<NodeId>(kept_nodes.size());
      kept_nodes.push_back(v);
    }
    const torch::Tensor index = torch::tensor(kept_nodes);
    expect_equal(squared_graph(graph, ParentMap(parent, static_cast<NodeId>(kept_nodes.size()))),
                 dense_square(graph).index_select(0, index).index_select(1, index));
  }
  EXPECT_THROW(squared_graph(grid_graph(3, 3), ParentMap::identity(4)), InvalidHierarchy);
  EXPECT_THROW(squared_graph(grid_graph(2, 2), ParentMap({1, 0, -1, -1}, 2)), InvalidHierarchy);
  EXPECT_THROW(squared_graph(grid_graph(2, 2), ParentMap({0, 0, 1, -1}, 2)), InvalidHierarchy);
  EXPECT_THROW(squared_graph(grid_graph(9, 9), ParentMap::identity(81), 100), InvalidGraph);
}

}  // namespace
}  // namespace hgnet
