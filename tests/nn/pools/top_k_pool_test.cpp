#include "hgnet/nn/pools/top_k_pool.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "nn/checks.hpp"

namespace hgnet {
namespace {

using test::DenseGraph;
using test::Inputs;
using testing::ElementsAre;
using torch::Tensor;

constexpr std::int64_t kRowWidth = 4;

/// The kept nodes of all graphs, ascending.
std::vector<std::int64_t> naive_kept(const Tensor& y, const ParentMap& graphs, double ratio,
                                     std::int64_t count) {
  std::vector<std::int64_t> kept;
  for (NodeId g = 0; g < graphs.num_parents(); ++g) {
    std::vector<std::int64_t> nodes;
    for (NodeId v = 0; v < graphs.num_children(); ++v) {
      if (graphs.parent(v) == g) nodes.push_back(v);
    }
    std::stable_sort(nodes.begin(), nodes.end(), [&](std::int64_t a, std::int64_t b) {
      return y[a].item<double>() > y[b].item<double>();
    });
    const std::int64_t all = std::ssize(nodes);
    const auto share = static_cast<std::int64_t>(std::ceil(ratio * static_cast<double>(all)));
    nodes.resize(std::min(all, count > 0 ? count : share));
    kept.insert(kept.end(), nodes.begin(), nodes.end());
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

Tensor naive_projection(const Tensor& x, const TopKPoolImpl& pool) {
  const Tensor p = pool.weight[0];
  return x.mv(p) / p.square().sum().sqrt();
}

void expect_top_k(const DenseGraph& graph, const Keep& keep) {
  SCOPED_TRACE(graph.name + ", ratio " + std::to_string(keep.ratio) + ", count " +
               std::to_string(keep.count));
  Generator generator(1);
  TopKPool pool(PoolOptions{.width = kRowWidth, .keep = keep}, generator);
  test::randomise(*pool);
  const Tensor x = test::random_rows({graph.graph.num_nodes(), kRowWidth}, 1);
  const std::vector<std::int64_t> kept =
      naive_kept(naive_projection(x, *pool), graph.graph_of_node, keep.ratio, keep.count);
  const Tensor index = torch::tensor(kept);
  test::expect_naive(
      *pool,
      [&](const Inputs& in) {
        const Pooled level =
            pool->forward({0, graph.graph, graph.graph_of_node, {}}, in[0], Hierarchy());
        return torch::cat({level.x, level.fine});
      },
      [&](const Inputs& in) {
        const Tensor y = naive_projection(in[0], *pool).index_select(0, index);
        return torch::cat({in[0].index_select(0, index) * y.tanh().unsqueeze(1), in[0]});
      },
      {x});

  const Pooled level = pool->forward({0, graph.graph, graph.graph_of_node, {}}, x, Hierarchy());
  std::vector<std::int64_t> got;
  for (NodeId p = 0; p < level.level.parent.num_parents(); ++p)
    got.push_back(level.level.parent.members(p).front());
  EXPECT_EQ(got, kept);
  const Tensor eye = torch::eye(x.size(0), torch::kFloat64);
  const Tensor augmented = graph.adjacency + eye;
  const Tensor square =
      (augmented.mm(augmented) * (1 - eye)).index_select(0, index).index_select(1, index);
  const Graph& coarse = level.level.graph;
  ASSERT_EQ(coarse.num_edges(), square.count_nonzero().item<std::int64_t>());
  for (NodeId v = 0; v < coarse.num_nodes(); ++v) {
    for (EdgeId s = coarse.offsets()[v]; s < coarse.offsets()[v + 1]; ++s)
      EXPECT_NEAR(coarse.weights()[s], square[coarse.columns()[s]][v].item<double>(), 1e-5);
  }
}

TEST(TopKPool, KeepsTheHighestScaledByTheirScore) {
  for (const DenseGraph& graph : test::dense_graphs()) {
    for (const double ratio : {0.3, 0.5, 1.0}) expect_top_k(graph, {.ratio = ratio});
    for (const std::int64_t count : {1, 3}) expect_top_k(graph, {.count = count});
  }
}

TEST(TopKPool, CoarseNodesAreInTheGraphOfTheirMembers) {
  const ParentMap graphs({0, 0, 0, 2, 2, 3}, 4);
  const ParentMap kept({kNoNode, 0, 1, kNoNode, 2, 3}, 4);
  const ParentMap coarse = graph_of_coarse_node(kept, graphs);
  EXPECT_THAT(coarse.parents(), ElementsAre(0, 0, 2, 3));
  EXPECT_EQ(coarse.num_parents(), 4);
}

}  // namespace
}  // namespace hgnet
