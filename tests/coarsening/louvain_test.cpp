#include "hgnet/coarsening/louvain.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "coarsening/local_moving.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/core/random.hpp"
#include "hgnet/graph/generators.hpp"
#include "support/graphs.hpp"

namespace hgnet {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

/// Q by its other form: sum over all pairs in one community of (A_uv - k_u k_v / 2m) / 2m.
double modularity_over_pairs(const Graph& graph, const ParentMap& community, EdgeWeights weights) {
  const NodeId n = graph.num_nodes();
  std::vector<std::vector<double>> a(n, std::vector<double>(n, 0.0));
  for (NodeId v = 0; v < n; ++v) {
    for (EdgeId s = graph.offsets()[v]; s < graph.offsets()[v + 1]; ++s) {
      const double w =
          weights == EdgeWeights::kOwn && graph.has_weights() ? graph.weights()[s] : 1.0;
      a[v][graph.columns()[s]] += graph.columns()[s] == v ? 2 * w : w;
    }
  }
  std::vector<double> degree(n, 0.0);
  double total = 0;
  for (NodeId v = 0; v < n; ++v) {
    for (const double x : a[v]) degree[v] += x;
    total += degree[v];
  }
  double q = 0;
  for (NodeId v = 0; v < n && total > 0; ++v) {
    for (NodeId u = 0; u < n; ++u) {
      if (community.parent(u) == community.parent(v))
        q += (a[v][u] - degree[v] * degree[u] / total) / total;
    }
  }
  return q;
}

/// Dense groups of 8, sparsely joined.
Graph planted_groups(int groups, Generator& generator) {
  EdgeList list;
  for (int i = 0; i < groups * 24; ++i) {
    const auto group = static_cast<std::int64_t>(generator.below(groups)) * 8;
    const bool inside = generator.below(10) > 0;
    list.source.push_back(group + static_cast<std::int64_t>(generator.below(8)));
    list.target.push_back(
        (inside ? group : static_cast<std::int64_t>(generator.below(groups)) * 8) +
        static_cast<std::int64_t>(generator.below(8)));
    list.weight.push_back(0.5F + static_cast<float>(generator.uniform()));
  }
  return Graph::from_edges(groups * 8, list, {.self_loops = SelfLoops::kKeep});
}

TEST(Modularity, EqualsTheSumOverPairs) {
  Generator generator(1);
  for (const auto& [name, graph] : test::small_graphs()) {
    SCOPED_TRACE(name);
    const ParentMap community = ParentMap::from_labels(std::vector<NodeId>(graph.num_nodes(), 0));
    EXPECT_NEAR(modularity(graph, community),
                modularity_over_pairs(graph, community, EdgeWeights::kUnit), 1e-12);
  }
  for (int round = 0; round < 10; ++round) {
    const Graph graph = planted_groups(5, generator);
    std::vector<NodeId> labels(graph.num_nodes());
    for (NodeId& label : labels) label = static_cast<NodeId>(generator.below(6));
    const ParentMap community = ParentMap::from_labels(labels);
    for (const EdgeWeights weights : {EdgeWeights::kUnit, EdgeWeights::kOwn}) {
      EXPECT_NEAR(modularity(graph, community, weights),
                  modularity_over_pairs(graph, community, weights), 1e-12);
    }
  }
  EXPECT_THROW(modularity(path_graph(2), ParentMap({0, kNoNode}, 1)), InvalidHierarchy);
}

TEST(Louvain, NoSingleMoveRaisesModularityAfterTheFirstPass) {
  Generator generator(2);
  for (int round = 0; round < 10; ++round) {
    const Graph graph = planted_groups(6, generator);
    for (const EdgeWeights weights : {EdgeWeights::kUnit, EdgeWeights::kOwn}) {
      const ParentMap found =
          louvain(graph, {.seed = static_cast<std::uint64_t>(round), .weights = weights});
      const double reached = modularity(graph, found, weights);
      EXPECT_GE(reached, modularity(graph, ParentMap::identity(graph.num_nodes()), weights));
      for (NodeId v = 0; v < graph.num_nodes(); ++v) {
        std::vector<NodeId> labels(found.parents().begin(), found.parents().end());
        for (const NodeId u : graph.neighbours(v)) {
          labels[v] = found.parent(u);
          EXPECT_LE(modularity(graph, ParentMap::from_labels(labels), weights), reached + 1e-9);
        }
      }
    }
  }
}

TEST(Louvain, FindsGroupsThatAreThere) {
  // Two cliques of 5 joined by one edge.
  EdgeList list;
  for (int base : {0, 5}) {
    for (int i = 0; i < 5; ++i) {
      for (int j = 0; j < i; ++j) {
        list.source.push_back(base + i);
        list.target.push_back(base + j);
      }
    }
  }
  list.source.push_back(4);
  list.target.push_back(5);
  const Graph graph = Graph::from_edges(10, list);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_THAT(louvain(graph, {.seed = seed}).parents(),
                ElementsAre(0, 0, 0, 0, 0, 1, 1, 1, 1, 1));
  }
}

TEST(Louvain, OfEquallyGoodCommunitiesANodeJoinsTheLargest) {
  // Node 0 gains as much with node 1 and its partner 2 as with node 3, whose self-loop makes up for
  // a partner. Then the same with the numbers of the two communities exchanged.
  for (const bool large_first : {true, false}) {
    const NodeId large = large_first ? 1 : 2;
    const NodeId partner = large + 1;
    const NodeId alone = large_first ? 3 : 1;
    EdgeList list = test::edges({{0, large}, {0, alone}, {large, partner}, {alone, alone}});
    list.weight = {1, 1, 10, 10};
    const Graph graph = Graph::from_edges(4, list, {.self_loops = SelfLoops::kKeep});
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const ParentMap found = louvain(graph, {.seed = seed, .weights = EdgeWeights::kOwn});
      EXPECT_EQ(found.parent(0), found.parent(large)) << "seed " << seed;
      EXPECT_EQ(found.parent(large), found.parent(partner)) << "seed " << seed;
      EXPECT_NE(found.parent(0), found.parent(alone)) << "seed " << seed;
    }
  }
}

TEST(Louvain, BestPartitionIsAtLeastAsGoodAsTheFirst) {
  Generator generator(3);
  for (const Graph& graph :
       {grid_graph(20, 20), planted_groups(30, generator), test::skewed_graph()}) {
    const ParentMap first = louvain(graph, {.seed = 1});
    const ParentMap best = louvain(graph, {.seed = 1, .partition = Partition::kBest});
    EXPECT_GE(modularity(graph, best), modularity(graph, first));
    EXPECT_LE(best.num_parents(), first.num_parents());
    EXPECT_TRUE(best.is_total() && best.is_onto() && best.is_ordered());
  }
}

TEST(Louvain, NodesMoveOnceMoreAfterCommunitiesHaveMerged) {
  // Merging alone leaves nodes that fit better elsewhere.
  const Graph graph = path_graph(100);
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const ParentMap best = louvain(graph, {.seed = seed, .partition = Partition::kBest});
    const double reached = modularity(graph, best);
    for (NodeId v = 0; v < graph.num_nodes(); ++v) {
      std::vector<NodeId> labels(best.parents().begin(), best.parents().end());
      for (const NodeId u : graph.neighbours(v)) {
        labels[v] = best.parent(u);
        EXPECT_LE(modularity(graph, ParentMap::from_labels(labels)), reached + 1e-9);
      }
    }
  }
}

TEST(Louvain, TheFirstPassIsTheDefaultAndStopsBeforeCommunitiesMerge) {
  EXPECT_EQ(LouvainOptions{}.partition, Partition::kFirstPass);
  for (const Graph& graph : {path_graph(300), grid_graph(20, 20)}) {
    const ParentMap first = louvain(graph);
    const ParentMap best = louvain(graph, {.partition = Partition::kBest});
    EXPECT_GT(2 * first.num_parents(), 3 * best.num_parents());
    EXPECT_GT(modularity(graph, best), modularity(graph, first));
  }
}

TEST(Louvain, GoesByWeightsIfAsked) {
  EdgeList list;
  for (int v = 0; v < 8; ++v) {
    list.source.push_back(v);
    list.target.push_back((v + 1) % 8);
    list.weight.push_back(v % 2 == 1 ? 10.0F : 1.0F);  // 1 - 2, 3 - 4, 5 - 6, 7 - 0
  }
  const Graph ring = Graph::from_edges(8, list);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    EXPECT_THAT(louvain(ring, {.seed = seed, .weights = EdgeWeights::kOwn}).parents(),
                testing::ElementsAre(0, 1, 1, 2, 2, 3, 3, 0));
  }
}

TEST(Louvain, RepeatsForASeedAndForAnyThreadCount) {
  Generator generator(4);
  std::vector<Graph> graphs;
  for (int g = 0; g < 40; ++g) graphs.push_back(planted_groups(3 + g % 5, generator));
  std::vector<ParentMap> alone;
  for (const Graph& graph : graphs) alone.push_back(louvain(graph, {.seed = 9}));
  for (const int threads : {1, 2, 5}) {
    for (int repetition = 0; repetition < 5; ++repetition) {
      const auto together = louvain(graphs, {.seed = 9}, threads);
      ASSERT_EQ(together.size(), alone.size());
      for (std::size_t g = 0; g < alone.size(); ++g) {
        EXPECT_THAT(together[g].parents(), ElementsAreArray(alone[g].parents()));
      }
    }
  }
}

TEST(Louvain, ALargeGraphHasTheSameCommunitiesOnAnyNumberOfThreads) {
  const Graph grid = grid_graph(520, 520);
  ASSERT_GE(grid.num_edges(), kLargeGraph);
  const ParentMap one = louvain(grid, {.seed = 3, .threads = 1});
  EXPECT_TRUE(one.is_total() && one.is_onto() && one.is_ordered());
  for (const int threads : {2, 3})
    EXPECT_THAT(louvain(grid, {.seed = 3, .threads = threads}).parents(),
                ElementsAreArray(one.parents()));
  // As good as on a grid that one thread goes through node by node.
  const Graph small = grid_graph(200, 200);
  EXPECT_NEAR(modularity(grid, one), modularity(small, louvain(small, {.seed = 3})), 0.01);
}

TEST(Louvain, IsAsGoodInChunksAsNodeByNode) {
  Generator generator(4);
  const Graph large = planted_groups(45'000, generator);
  const Graph small = planted_groups(10'000, generator);
  ASSERT_GE(large.num_edges(), kLargeGraph);
  ASSERT_LT(small.num_edges(), kLargeGraph);
  EXPECT_NEAR(modularity(large, louvain(large, {.seed = 1, .threads = 2})),
              modularity(small, louvain(small, {.seed = 1})), 0.01);
}

/// The most that moving a single node to a neighbouring community would raise modularity, times m.
double best_single_move(const Graph& graph, const ParentMap& community) {
  const auto total = static_cast<double>(graph.num_edges());
  const auto degree = [&](NodeId v) { return static_cast<double>(graph.neighbours(v).size()); };
  std::vector<double> sum(community.num_parents(), 0.0);
  for (NodeId v = 0; v < graph.num_nodes(); ++v) sum[community.parent(v)] += degree(v);
  double best = 0;
  for (NodeId v = 0; v < graph.num_nodes(); ++v) {
    const NodeId own = community.parent(v);
    std::map<NodeId, double> gain{{own, degree(v) * degree(v) / total}};
    for (const NodeId u : graph.neighbours(v)) gain[community.parent(u)] += 1;
    for (auto& [c, here] : gain) here -= degree(v) * sum[c] / total;
    for (const auto& [c, here] : gain) best = std::max(best, here - gain[own]);
  }
  return best;
}

/// Random edges, most of them at few nodes: rows longer than those that are searched.
Graph hubs(NodeId nodes, std::int64_t edges, std::uint64_t seed) {
  Generator generator(seed);
  EdgeList list;
  for (std::int64_t i = 0; i < edges; ++i) {
    const double where = generator.uniform();
    list.source.push_back(static_cast<std::int64_t>(where * where * where * nodes));
    list.target.push_back(static_cast<std::int64_t>(generator.below(nodes)));
  }
  return Graph::from_edges(nodes, list, {.self_loops = SelfLoops::kRemove});
}

TEST(Louvain, NoSingleMoveGainsInALargeGraph) {
  for (const Graph& graph : {grid_graph(520, 520), hubs(60'000, 700'000, 1)}) {
    ASSERT_GE(graph.num_edges(), kLargeGraph);
    const ParentMap found = louvain(graph, {.seed = 2, .threads = 2});
    EXPECT_LE(best_single_move(graph, found), 1e-6);
    for (const int threads : {1, 5})
      EXPECT_THAT(louvain(graph, {.seed = 2, .threads = threads}).parents(),
                  ElementsAreArray(found.parents()));
  }
  EXPECT_LE(best_single_move(hubs(9'000, 100'000, 2), louvain(hubs(9'000, 100'000, 2))), 1e-6);
}

TEST(Louvain, EdgeCasesWork) {
  for (const auto& [name, graph] : test::small_graphs()) {
    SCOPED_TRACE(name);
    for (const Partition partition : {Partition::kFirstPass, Partition::kBest}) {
      const ParentMap found = louvain(graph, {.partition = partition});
      EXPECT_TRUE(found.is_total() && found.is_onto() && found.is_ordered());
      EXPECT_EQ(found.num_children(), graph.num_nodes());
    }
  }
  EdgeList negative = test::edges({{0, 1}});
  negative.weight = {-1};
  const std::vector<Graph> graphs{Graph::from_edges(2, negative)};
  EXPECT_THROW(louvain(graphs[0], {.weights = EdgeWeights::kOwn}), InvalidGraph);
  EXPECT_THROW(louvain(graphs, {.weights = EdgeWeights::kOwn}, 2), InvalidGraph);
}

}  // namespace
}  // namespace hgnet
