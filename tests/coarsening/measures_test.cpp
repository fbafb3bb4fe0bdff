#include "hgnet/coarsening/measures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <iostream>

#include "hgnet/coarsening/methods.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/core/random.hpp"
#include "hgnet/data/graph_file.hpp"
#include "hgnet/graph/algorithms.hpp"
#include "hgnet/graph/generators.hpp"
#include "support/graphs.hpp"

namespace hgnet {
namespace {

/// Every node is joined to a random earlier one.
Graph random_tree(std::int64_t num_nodes, Generator& generator) {
  EdgeList list;
  for (std::int64_t v = 1; v < num_nodes; ++v) {
    list.source.push_back(v);
    list.target.push_back(static_cast<std::int64_t>(generator.below(v)));
  }
  return Graph::from_edges(num_nodes, list);
}

Hierarchy full_hierarchy(const Graph& graph, Coarsening method) {
  return build_hierarchy(graph, kFullDepth, coarsen_step(method, {.seed = 1}));
}

std::vector<Coarsening> all_methods() {
  std::vector<Coarsening> methods;
  for (const std::string& text : graph_coarsenings())
    methods.push_back(enum_value<Coarsening>(text));
  return methods;
}

TEST(BuildHierarchy, EndsWhereLevelsHardlyShrink) {
  EdgeList list;
  for (std::int64_t leaf = 1; leaf <= 2000; ++leaf) {
    list.source.push_back(0);
    list.target.push_back(leaf);
  }
  const Graph star = Graph::from_edges(2001, list);
  const CoarsenStep step = coarsen_step(Coarsening::kEdgePool, {});
  EXPECT_EQ(build_hierarchy(star, kFullDepth, step, 0.02).num_levels(), 0);
  EXPECT_EQ(build_hierarchy(star, 3, step).num_levels(), 3);
  // Isolated nodes do not count: each level of the path is half of it.
  EdgeList path;
  for (std::int64_t v = 0; v < 15; ++v) {
    path.source.push_back(v);
    path.target.push_back(v + 1);
  }
  const Graph lonely = Graph::from_edges(1000, path);
  EXPECT_EQ(build_hierarchy(lonely, kFullDepth, step, 0.02).num_levels(),
            build_hierarchy(lonely, kFullDepth, step).num_levels());
}

TEST(Report, CountsLevelsAndPathsOfASmallExample) {
  Hierarchy hierarchy(path_graph(6));
  hierarchy.add({ParentMap({0, 0, 1, 1, 2, 2}, 3), path_graph(3)});
  hierarchy.add({ParentMap({0, 0, 1}, 2), path_graph(2)});
  const HierarchyMeasures result = measure(hierarchy);
  ASSERT_EQ(result.levels.size(), 3U);
  EXPECT_EQ(result.levels[0].nodes, 6);
  EXPECT_EQ(result.levels[0].edges, 5);
  EXPECT_EQ(result.levels[0].matched_fraction, 1.0);
  EXPECT_NEAR(result.levels[1].matched_fraction, 2.0 / 3, 1e-12);
  EXPECT_EQ(result.levels[2].matched_fraction, 0.0);
  EXPECT_EQ(result.total_nodes, 11);
  EXPECT_EQ(result.total_edges, 8);
  EXPECT_EQ(result.parent_edges, 9);
  EXPECT_EQ(result.diameter.low, 5);
  EXPECT_TRUE(result.diameter.exact());
  // 0 up to its pair, along two edges of the path of pairs, down to 5.
  EXPECT_EQ(result.longest_path.low, 4);
  EXPECT_TRUE(result.longest_path.exact());
}

/// Through all levels, by a search from every node of the input.
std::int32_t longest_path_by_definition(const Hierarchy& hierarchy) {
  EdgeList edges;
  std::int64_t first = 0;
  for (int l = 0; l <= hierarchy.num_levels(); ++l) {
    const Graph& graph = hierarchy.graph(l);
    for (NodeId v = 0; v < graph.num_nodes(); ++v) {
      for (const NodeId u : graph.neighbours(v)) {
        edges.source.push_back(first + v);
        edges.target.push_back(first + u);
      }
      if (l == hierarchy.num_levels()) continue;
      edges.source.push_back(first + v);
      edges.target.push_back(first + graph.num_nodes() + hierarchy.parent(l).parent(v));
    }
    first += graph.num_nodes();
  }
  const Graph joined = Graph::from_edges(first, edges);
  std::int32_t longest = 0;
  for (NodeId v = 0; v < hierarchy.graph(0).num_nodes(); ++v) {
    const auto distances = breadth_first_distances(joined, v);
    for (NodeId u = 0; u < hierarchy.graph(0).num_nodes(); ++u)
      longest = std::max(longest, distances[u]);
  }
  return longest;
}

TEST(Report, BoundsEncloseTheExactValue) {
  Generator generator(1);
  bool open = false;
  for (const Graph& graph :
       {grid_graph(20, 20), random_tree(500, generator), random_graph(400, 300, generator),
        random_graph(400, 500, generator), random_graph(300, 900, generator)}) {
    std::int32_t diameter = 0;
    for (NodeId v = 0; v < graph.num_nodes(); ++v) {
      for (const std::int32_t distance : breadth_first_distances(graph, v))
        diameter = std::max(diameter, distance);
    }
    for (const Coarsening method : all_methods()) {
      SCOPED_TRACE(enum_name(method));
      const Hierarchy hierarchy = full_hierarchy(graph, method);
      const std::int32_t longest = longest_path_by_definition(hierarchy);
      const HierarchyMeasures exact = measure(hierarchy);
      EXPECT_TRUE(exact.diameter.exact() && exact.longest_path.exact());
      EXPECT_EQ(exact.diameter.low, diameter);
      EXPECT_EQ(exact.longest_path.low, longest);
      const HierarchyMeasures bounded = measure(hierarchy, 1);
      EXPECT_LE(bounded.diameter.low, diameter);
      EXPECT_GE(bounded.diameter.high, diameter);
      EXPECT_LE(bounded.longest_path.low, longest);
      EXPECT_GE(bounded.longest_path.high, longest);
      open = open || !bounded.longest_path.exact();
    }
  }
  EXPECT_TRUE(open);
}

TEST(Report, EmptyAndSingleNodeGraphsWork) {
  EXPECT_EQ(measure(Hierarchy(Graph())).total_nodes, 0);
  EXPECT_EQ(measure(Hierarchy(path_graph(1))).longest_path.high, 0);
}

TEST(Methods, MakeValidHierarchiesThatRepeat) {
  for (const auto& [name_of_graph, graph] : test::small_graphs()) {
    for (const Coarsening method : all_methods()) {
      SCOPED_TRACE(name_of_graph + ", " + std::string(enum_name(method)));
      const Hierarchy hierarchy = full_hierarchy(graph, method);
      EXPECT_NO_THROW(hierarchy.validate_contractions());
      const Hierarchy again = full_hierarchy(graph, method);
      ASSERT_EQ(again.num_levels(), hierarchy.num_levels());
      for (int l = 0; l < hierarchy.num_levels(); ++l) {
        EXPECT_THAT(again.parent(l).parents(),
                    testing::ElementsAreArray(hierarchy.parent(l).parents()));
      }
      // Connected nodes stay connected, others stay separate: at full depth there is one node per
      // component, except that Louvain may stop earlier, when no merge raises modularity.
      const NodeId top = hierarchy.graph(hierarchy.num_levels()).num_nodes();
      const NodeId components = connected_components(graph).num_parents();
      if (method == Coarsening::kLouvain) {
        EXPECT_GE(top, components);
      } else {
        EXPECT_EQ(top, components);
      }
    }
  }
  EXPECT_THROW(enum_value<Coarsening>("louvian"), Error);
}

TEST(Methods, DrawAnewOnEveryLevel) {
  const Graph grid = grid_graph(12, 12);
  for (const Coarsening method : all_methods()) {
    SCOPED_TRACE(enum_name(method));
    const CoarsenStep step = coarsen_step(method, {.seed = 1});
    const auto parents = [&](const CoarsenStep& s, int level) {
      const Level made = s(grid, level);
      return std::vector<NodeId>(made.parent.parents().begin(), made.parent.parents().end());
    };
    EXPECT_EQ(parents(step, 1), parents(step, 1));
    EXPECT_NE(parents(step, 1), parents(step, 2));
    EXPECT_NE(parents(step, 1), parents(coarsen_step(method, {.seed = 2}), 1));
  }
}

TEST(Methods, PoolWeightsByMeanOrSum) {
  const Graph ring = Graph::from_edges(4, test::edges({{0, 1}, {1, 2}, {2, 3}, {3, 0}}));
  for (const Coarsening method : {Coarsening::kRandom, Coarsening::kHeavyEdge}) {
    for (const EdgePooling pooling : {EdgePooling::kMean, EdgePooling::kSum}) {
      const Graph coarse = coarsen_step(method, {.seed = 1, .edges = pooling})(ring, 0).graph;
      ASSERT_EQ(coarse.num_nodes(), 2);
      // Two edges lead across. Heavy-edge sums weights; otherwise no edge would ever be heavier.
      const bool sum = pooling == EdgePooling::kSum || method == Coarsening::kHeavyEdge;
      EXPECT_EQ(coarse.has_weights(), sum);
      if (sum) {
        EXPECT_EQ(coarse.weights()[0], 2.0F);
      }
    }
  }
}

TEST(Methods, PassTheOptionsOfLouvainOn) {
  const Graph grid = grid_graph(20, 20);
  const auto communities = [&](const CoarsenOptions& options) {
    return coarsen_step(Coarsening::kLouvain, options)(grid, 0).parent.num_parents();
  };
  EXPECT_LT(communities({.partition = Partition::kBest}), communities({}));
  EdgeList list = test::edges({{0, 1}, {1, 2}, {2, 3}, {3, 0}});
  list.weight = {9, 1, 9, 1};
  const Level level = coarsen_step(Coarsening::kLouvain, {.louvain_weights = EdgeWeights::kOwn})(
      Graph::from_edges(4, list), 0);
  EXPECT_THAT(level.parent.parents(), testing::ElementsAre(0, 0, 1, 1));
}

/// The paper's bounds: with matchings of at least N_l / m edges on every level, total nodes <= m N,
/// and paths of O(log N) edges between connected nodes. Prints the constants reached.
void expect_paper_bounds(const std::string& name_of_graph, const Graph& graph) {
  SCOPED_TRACE(name_of_graph);
  const Hierarchy hierarchy = full_hierarchy(graph, Coarsening::kEdgePool);
  const HierarchyMeasures result = measure(hierarchy);
  const double n = graph.num_nodes();
  double m = 2;
  for (std::size_t l = 0; l + 1 < result.levels.size(); ++l) {
    // matched_fraction = 2 matched edges / nodes
    m = std::max(m, 2 / result.levels[l].matched_fraction);
  }
  const double c = result.longest_path.high / std::log2(n);
  std::cout << name_of_graph << ": N " << n << ", levels " << hierarchy.num_levels() << ", m " << m
            << ", nodes " << result.total_nodes / n << " N, longest path "
            << result.longest_path.high << " = " << c << " log2 N, diameter "
            << result.diameter.high << "\n";
  EXPECT_LE(static_cast<double>(result.total_nodes), m * n);
  EXPECT_LE(c, 4.0);
}

TEST(Methods, KeepThePapersBounds) {
  Generator generator(2);
  for (const int n : {64, 256, 1024, 4096})
    expect_paper_bounds("path " + std::to_string(n), path_graph(n));
  for (const int side : {8, 16, 32, 64}) {
    expect_paper_bounds("grid " + std::to_string(side), grid_graph(side, side));
  }
  for (const int n : {100, 1000, 4000})
    expect_paper_bounds("tree " + std::to_string(n), random_tree(n, generator));
}

TEST(Methods, KeepThePapersBoundsOnTheRoadNetworks) {
  const std::filesystem::path roads = std::filesystem::path(HGNET_DEFAULT_DATA_DIR) / "roads";
  if (!std::filesystem::exists(roads)) GTEST_SKIP() << "no road networks here";
  expect_paper_bounds("euroroad", read_graph(roads / "euroroad.edges"));
  expect_paper_bounds("minnesota", read_graph(roads / "minnesota.edges"));
}

}  // namespace
}  // namespace hgnet
