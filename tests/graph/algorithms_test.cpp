#include "hgnet/graph/algorithms.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hgnet/core/error.hpp"
#include "hgnet/core/random.hpp"
#include "hgnet/graph/generators.hpp"
#include "support/graphs.hpp"

namespace hgnet {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// All pairs by Floyd and Warshall.
std::vector<std::vector<int>> all_distances(const Graph& graph) {
  constexpr int kFar = 1 << 20;
  const NodeId n = graph.num_nodes();
  std::vector<std::vector<int>> d(n, std::vector<int>(n, kFar));
  for (NodeId v = 0; v < n; ++v) {
    d[v][v] = 0;
    for (const NodeId u : graph.neighbours(v)) {
      if (u != v) d[v][u] = 1;
    }
  }
  for (NodeId k = 0; k < n; ++k) {
    for (NodeId i = 0; i < n; ++i) {
      for (NodeId j = 0; j < n; ++j) d[i][j] = std::min(d[i][j], d[i][k] + d[k][j]);
    }
  }
  for (auto& row : d) {
    for (int& x : row) x = x >= kFar ? kUnreached : x;
  }
  return d;
}

TEST(BreadthFirst, EqualsFloydWarshall) {
  for (const auto& [name, graph] : test::small_graphs()) {
    SCOPED_TRACE(name);
    const auto expected = all_distances(graph);
    for (NodeId v = 0; v < graph.num_nodes(); ++v) {
      EXPECT_EQ(breadth_first_distances(graph, v), expected[v]);
    }
  }
}

TEST(BreadthFirst, SeveralSourcesGiveTheNearest) {
  const Graph path = path_graph(7);
  const std::vector<NodeId> sources{0, 5, 5};
  EXPECT_THAT(breadth_first_distances(path, sources), ElementsAre(0, 1, 2, 2, 1, 0, 1));
  EXPECT_THAT(breadth_first_distances(path, std::span<const NodeId>()),
              testing::Each(testing::Eq(kUnreached)));
  EXPECT_THROW(breadth_first_distances(path, 7), InvalidGraph);
  EXPECT_THROW(breadth_first_distances(path, -1), InvalidGraph);
}

TEST(Components, EqualWhatIsReachable) {
  Generator generator(3);
  for (int round = 0; round < 20; ++round) {
    const Graph graph = random_graph(30, 20, generator);
    const auto distances = all_distances(graph);
    const ParentMap components = connected_components(graph);
    EXPECT_TRUE(components.is_total() && components.is_onto() && components.is_ordered());
    for (NodeId v = 0; v < 30; ++v) {
      for (NodeId u = 0; u < 30; ++u) {
        EXPECT_EQ(components.parent(v) == components.parent(u), distances[v][u] != kUnreached);
      }
    }
  }
  EXPECT_EQ(connected_components(Graph()).num_parents(), 0);
  EXPECT_EQ(connected_components(Graph::from_edges(4, {})).num_parents(), 4);
}

/// Searches from every node of every component of the largest size; the first such component
/// counts.
std::int32_t diameter_by_definition(const Graph& graph) {
  const ParentMap components = connected_components(graph);
  std::size_t largest = 0;
  std::int32_t result = 0;
  for (NodeId c = 0; c < components.num_parents(); ++c) {
    const auto members = components.members(c);
    if (members.size() <= largest) continue;
    largest = members.size();
    result = 0;
    for (const NodeId v : members) {
      for (const std::int32_t d : breadth_first_distances(graph, v)) result = std::max(result, d);
    }
  }
  return result;
}

TEST(Diameter, IsThatOfTheLargestComponent) {
  for (const auto& [name, graph] : test::small_graphs()) {
    EXPECT_TRUE(diameter(graph).exact()) << name;
    EXPECT_EQ(diameter(graph).low, diameter_by_definition(graph)) << name;
  }
  Generator generator(1);
  for (int i = 0; i < 200; ++i) {
    const Graph graph = random_graph(40, 20 + i / 4, generator);
    EXPECT_TRUE(diameter(graph).exact());
    EXPECT_EQ(diameter(graph).low, diameter_by_definition(graph));
  }
  for (int i = 0; i < 10; ++i) {  // several searches of 64 nodes at once
    const Graph graph = random_graph(400, 500 + 100 * i, generator);
    EXPECT_TRUE(diameter(graph).exact());
    EXPECT_EQ(diameter(graph).low, diameter_by_definition(graph));
  }
  EXPECT_EQ(diameter(grid_graph(30, 20)).low, 48);
  EXPECT_EQ(diameter(path_graph(1000)).high, 999);
  EdgeList ring = test::edges({{0, 99}});
  for (int v = 1; v < 100; ++v) {
    ring.source.push_back(v - 1);
    ring.target.push_back(v);
  }
  EXPECT_EQ(diameter(Graph::from_edges(100, ring)).high, 50) << "all nodes are alike";
}

TEST(Diameter, IsEnclosedWhenSearchesAreFew) {
  Generator generator(2);
  bool open = false;
  for (int i = 0; i < 50; ++i) {
    const Graph graph = random_graph(200, 260, generator);
    const Bounds bounds = diameter(graph, 1);
    const std::int32_t expected = diameter_by_definition(graph);
    EXPECT_LE(bounds.low, expected);
    EXPECT_GE(bounds.high, expected);
    EXPECT_GE(2 * bounds.low, expected) << "two searches see at least half of it";
    open = open || !bounds.exact();
  }
  EXPECT_TRUE(open);
}

TEST(Generators, GridsPathsAndRandomGraphsHaveTheirEdges) {
  const Graph grid = grid_graph(16, 16);
  EXPECT_EQ(grid.num_nodes(), 256);
  EXPECT_EQ(grid.num_undirected_edges(), 480);
  EXPECT_THAT(grid.neighbours(17), ElementsAre(1, 16, 18, 33));
  EXPECT_EQ(breadth_first_distances(grid, 0).back(), 30);
  EXPECT_EQ(grid_graph(0, 5).num_nodes(), 0);
  EXPECT_THAT(path_graph(3).neighbours(1), ElementsAre(0, 2));
  EXPECT_THAT(path_graph(1).neighbours(0), IsEmpty());
  EXPECT_ANY_THROW(grid_graph(-1, 3));
  EXPECT_ANY_THROW(grid_graph(1LL << 31, 1LL << 31));
  Generator a(5);
  Generator b(5);
  EXPECT_EQ(random_graph(50, 100, a).parts().columns, random_graph(50, 100, b).parts().columns);
}

}  // namespace
}  // namespace hgnet
