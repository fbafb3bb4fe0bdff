#include "hgnet/nn/pools/static_pool.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hgnet/core/error.hpp"
#include "hgnet/graph/generators.hpp"
#include "nn/checks.hpp"

namespace hgnet {
namespace {

using test::Inputs;
using testing::ElementsAreArray;
using testing::HasSubstr;
using torch::Tensor;

/// Six nodes in three communities, those in two.
Hierarchy two_levels(const Graph& graph) {
  const ParentMap first({0, 1, 0, 2, 1, 0}, 3);
  const ParentMap second({0, 1, 0}, 2);
  const Graph middle = coarse_graph(graph, first, {});
  Hierarchy hierarchy(graph);
  hierarchy.add({first, middle});
  hierarchy.add({second, coarse_graph(middle, second, {})});
  return hierarchy;
}

PoolLevel level_of(const Hierarchy& prepared, int number) {
  PoolLevel level;
  level.number = number;
  level.graph = prepared.graph(number);
  return level;
}

TEST(StaticPool, ACoarseRowIsTheMeanOfItsMembers) {
  const Hierarchy prepared = two_levels(path_graph(6));
  StaticPool pool(Coarsening::kLouvain);
  test::expect_naive(
      *pool,
      [&](const Inputs& in) { return pool->forward(level_of(prepared, 0), in[0], prepared).x; },
      [](const Inputs& in) {
        const Tensor& x = in[0];
        return torch::stack({(x[0] + x[2] + x[5]) / 3, (x[1] + x[4]) / 2, x[3]});
      },
      {test::random_rows({6, 5}, 1)});
  test::expect_naive(
      *pool,
      [&](const Inputs& in) { return pool->forward(level_of(prepared, 1), in[0], prepared).x; },
      [](const Inputs& in) {
        return torch::stack({(in[0][0] + in[0][2]) / 2, in[0][1]});
      },
      {test::random_rows({3, 5}, 2)});
}

TEST(StaticPool, TheLevelIsThePreparedOne) {
  const Hierarchy prepared = two_levels(path_graph(6));
  StaticPool pool(Coarsening::kLouvain);
  for (const int l : {0, 1}) {
    const Tensor x = torch::randn({prepared.graph(l).num_nodes(), 2});
    const Pooled pooled = pool->forward(level_of(prepared, l), x, prepared);
    EXPECT_THAT(pooled.level.parent.parents(), ElementsAreArray(prepared.parent(l).parents()));
    EXPECT_EQ(pooled.level.graph.columns().data(), prepared.graph(l + 1).columns().data());
    EXPECT_TRUE(pooled.fine.equal(x));
    EXPECT_FALSE(pooled.score.defined());
  }
}

TEST(StaticPool, MayPoolTheRowsFromBeforeTheLayerAboveLevelZero) {
  const Hierarchy prepared = two_levels(path_graph(6));
  StaticPool pool(Coarsening::kLouvain, PooledRows::kBefore);
  const Tensor x = torch::randn({6, 2});
  const Pooled first = pool->forward(level_of(prepared, 0), x, prepared);
  EXPECT_TRUE(first.x[2].equal(x[3]));
  PoolLevel level = level_of(prepared, 1);
  level.pooled = first.x;
  const Pooled second = pool->forward(level, torch::randn({3, 2}), prepared);
  EXPECT_TRUE(second.x[1].equal(first.x[1]));
  EXPECT_TRUE(second.x[0].allclose((first.x[0] + first.x[2]) / 2));
}

TEST(StaticPool, NamesTheLevelThatIsMissing) {
  const Hierarchy prepared = two_levels(path_graph(6));
  StaticPool pool(Coarsening::kLouvain);
  try {
    pool->forward(level_of(prepared, 2), torch::randn({2, 2}), prepared);
    FAIL() << "expected InvalidHierarchy";
  } catch (const InvalidHierarchy& error) {
    EXPECT_THAT(error.what(), HasSubstr("coarse level 3"));
  }
}

TEST(StaticPool, SaysWhatItIs) {
  EXPECT_EQ(StaticPool(Coarsening::kLouvain)->text(), "louvain, mean of rows");
  EXPECT_EQ(StaticPool(Coarsening::kRandom, PooledRows::kBefore)->text(),
            "random, mean of rows from before the layer");
  EXPECT_THAT(StaticPool(Coarsening::kRandom)->reach(3), HasSubstr("up to 8 nodes"));
  EXPECT_THAT(StaticPool(Coarsening::kLouvain)->reach(3), HasSubstr("a whole community"));
}

}  // namespace
}  // namespace hgnet
