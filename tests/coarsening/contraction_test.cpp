#include "hgnet/coarsening/contraction.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "hgnet/coarsening/coarse_graph.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/core/random.hpp"
#include "hgnet/graph/batch.hpp"
#include "hgnet/graph/generators.hpp"
#include "hgnet/graph/hierarchy.hpp"
#include "support/golden.hpp"
#include "support/graphs.hpp"

namespace hgnet {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

struct DirectedEdge {
  float score;
  NodeId source;
  NodeId target;
  EdgeId slot;
};

/// A contraction and the order in which its coarse nodes were made, by which the original EdgePool
/// numbers them.
struct Greedy {
  Contraction contraction;
  std::vector<NodeId> place;
};

std::vector<NodeId> by_id(const Graph& graph) {
  std::vector<NodeId> place(graph.num_nodes());
  std::iota(place.begin(), place.end(), 0);
  return place;
}

/// The definition, literally: all directed edges sorted, one after the other. `place` is the number
/// that each node has in edge ids.
Greedy slow_greedy(const Graph& graph, std::span<const float> scores,
                   const std::vector<NodeId>& place) {
  std::vector<DirectedEdge> edges;
  for (NodeId v = 0; v < graph.num_nodes(); ++v) {
    for (EdgeId s = graph.offsets()[v]; s < graph.offsets()[v + 1]; ++s) {
      edges.push_back({scores[s], graph.columns()[s], v, s});
    }
  }
  const auto rank = [&](const DirectedEdge& edge) {
    return std::tuple(edge.score, place[edge.source], place[edge.target]);
  };
  std::sort(edges.begin(), edges.end(),
            [&](const DirectedEdge& a, const DirectedEdge& b) { return rank(a) > rank(b); });
  std::vector<NodeId> label(graph.num_nodes(), kNoNode);
  std::vector<EdgeId> slot_of_label(graph.num_nodes(), kNoSlot);
  std::vector<NodeId> made;  // labels
  for (const DirectedEdge& edge : edges) {
    if (edge.score == -std::numeric_limits<float>::infinity()) break;
    if (label[edge.source] != kNoNode || label[edge.target] != kNoNode) continue;
    label[edge.source] = label[edge.target] = std::min(edge.source, edge.target);
    slot_of_label[label[edge.source]] = edge.slot;
    made.push_back(label[edge.source]);
  }
  std::vector<NodeId> nodes = by_id(graph);
  std::sort(nodes.begin(), nodes.end(), [&](NodeId a, NodeId b) { return place[a] < place[b]; });
  for (const NodeId v : nodes) {
    if (label[v] != kNoNode) continue;
    label[v] = v;
    made.push_back(v);
  }
  Greedy result{{ParentMap::from_labels(label), {}}, std::vector<NodeId>(made.size())};
  const ParentMap& parent = result.contraction.parent;
  for (NodeId p = 0; p < parent.num_parents(); ++p)
    result.contraction.slot.push_back(slot_of_label[parent.members(p).front()]);
  for (std::size_t i = 0; i < made.size(); ++i)
    result.place[parent.parent(made[i])] = static_cast<NodeId>(i);
  return result;
}

std::vector<float> random_scores(const Graph& graph, Generator& generator, int distinct) {
  std::vector<float> scores(graph.num_edges());
  for (float& score : scores) score = static_cast<float>(generator.below(distinct)) * 0.25F;
  return scores;
}

void expect_same(const Contraction& got, const Contraction& expected) {
  EXPECT_THAT(got.parent.parents(), ElementsAreArray(expected.parent.parents()));
  EXPECT_EQ(got.slot, expected.slot);
}

void expect_greedy(const Graph& graph, const std::vector<float>& scores) {
  expect_same(contract_edges<float>(graph, scores),
              slow_greedy(graph, scores, by_id(graph)).contraction);
}

NodeOrder order_above(const Graph& graph, const Contraction& contraction,
                      const std::vector<float>& scores, const NodeOrder& below) {
  std::vector<double> of_coarse_node;
  for (const EdgeId slot : contraction.slot)
    of_coarse_node.push_back(slot == kNoSlot ? 0.0 : scores[slot]);
  return {graph, contraction, of_coarse_node, below};
}

/// Several levels, each with the order from the level below.
void expect_greedy_levels(Graph graph, SelfLoops self_loops, int distinct, Generator& generator) {
  std::vector<NodeId> place = by_id(graph);
  NodeOrder order;
  for (int level = 0; level < 4; ++level) {
    SCOPED_TRACE(testing::Message() << "level " << level);
    const std::vector<float> scores = random_scores(graph, generator, distinct);
    const Contraction got = contract_edges<float>(graph, scores, order);
    const Greedy expected = slow_greedy(graph, scores, place);
    expect_same(got, expected.contraction);
    order = order_above(graph, got, scores, order);
    place = expected.place;
    graph = coarse_graph(graph, got.parent, {.self_loops = self_loops});
    for (NodeId a = 0; a < graph.num_nodes(); ++a) {
      for (NodeId b = 0; b < graph.num_nodes(); ++b)
        ASSERT_EQ(order.before(a, b), place[a] < place[b]) << a << " and " << b;
    }
  }
}

TEST(ContractEdges, EqualsTheGreedyDefinitionWithManyTies) {
  Generator generator(1);
  for (const auto& [name, graph] : test::small_graphs()) {
    SCOPED_TRACE(name);
    for (int round = 0; round < 60; ++round) {
      expect_greedy(graph, random_scores(graph, generator, 1 + round % 6));
      expect_greedy(graph, random_scores(graph, generator, 1 << 20));
    }
  }
  for (int round = 0; round < 100; ++round) {
    const Graph graph = random_graph(60, 40 + 2 * round, generator);
    expect_greedy(graph, random_scores(graph, generator, 1 + round % 5));
  }
}

TEST(ContractEdges, EqualsTheGreedyDefinitionOnLargerGraphs) {
  Generator generator(2);
  for (const Graph& graph : {grid_graph(60, 50), path_graph(2000), test::skewed_graph()}) {
    expect_greedy(graph, random_scores(graph, generator, 4));
    expect_greedy(graph, random_scores(graph, generator, 1 << 24));
  }
}

// If many nodes want the same neighbour, rows are sorted.
TEST(ContractEdges, EqualsTheGreedyDefinitionOnDenseGraphs) {
  Generator generator(7);
  for (int round = 0; round < 40; ++round) {
    const Graph graph = random_graph(70, 300 + 60 * round, generator);
    expect_greedy(graph, random_scores(graph, generator, 1 + round % 4));
    expect_greedy(graph, random_scores(graph, generator, 1 << 20));
    // Scores that depend on the source only, as for nodes of very different degrees: the same order
    // in all rows.
    std::vector<float> by_source(graph.columns().begin(), graph.columns().end());
    expect_greedy(graph, by_source);
    for (float& score : by_source) {
      if (generator.below(3) == 0) score = -std::numeric_limits<float>::infinity();
    }
    expect_greedy(graph, by_source);
    expect_greedy_levels(graph, SelfLoops::kKeep, 1 + round % 3, generator);
  }
}

/// Large enough for several threads: neighbours near in memory, and far.
std::vector<Graph> large_graphs(Generator& generator) {
  return {grid_graph(500, 400), path_graph(300'000), random_graph(80'000, 350'000, generator),
          test::skewed_graph()};
}

void expect_greedy_on_threads(const Graph& graph, const std::vector<float>& scores,
                              const NodeOrder& order = {}) {
  const Contraction one = contract_edges<float>(graph, scores, order, 1);
  for (const int threads : {2, 5})
    expect_same(contract_edges<float>(graph, scores, order, threads), one);
}

TEST(ContractEdges, IsTheSameOnAnyNumberOfThreads) {
  Generator generator(8);
  for (const Graph& graph : large_graphs(generator)) {
    for (const int distinct : {1, 3, 1 << 24}) {
      const std::vector<float> scores = random_scores(graph, generator, distinct);
      expect_greedy_on_threads(graph, scores);
      const Contraction below = contract_edges<float>(graph, scores);
      const Graph coarse = coarse_graph(graph, below.parent, {.self_loops = SelfLoops::kKeep});
      expect_greedy_on_threads(coarse, random_scores(coarse, generator, distinct),
                               order_above(graph, below, scores, {}));
    }
    const std::vector<float> rising(graph.columns().begin(), graph.columns().end());
    expect_greedy_on_threads(graph, rising);  // chains in which each node waits for the next
  }
  const Graph graph = random_graph(80'000, 350'000, generator);
  const std::vector<float> scores = random_scores(graph, generator, 100);
  expect_same(contract_edges<float>(graph, scores, {}, 3),
              slow_greedy(graph, scores, by_id(graph)).contraction);
}

TEST(CoarseGraph, IsTheSameOnAnyNumberOfThreads) {
  Generator generator(9);
  for (const Graph& graph : large_graphs(generator)) {
    const ParentMap parent =
        contract_edges<float>(graph, random_scores(graph, generator, 50)).parent;
    for (const SelfLoops self_loops : {SelfLoops::kRemove, SelfLoops::kKeep}) {
      const Graph one = coarse_graph(graph, parent, {.self_loops = self_loops}, 1);
      for (const int threads : {2, 5}) {
        const Graph several = coarse_graph(graph, parent, {.self_loops = self_loops}, threads);
        EXPECT_EQ(several.parts().offsets, one.parts().offsets);
        EXPECT_EQ(several.parts().columns, one.parts().columns);
      }
    }
  }
}

TEST(ContractEdges, GraphsOfABatchDoNotSeeEachOther) {
  Generator generator(3);
  std::vector<Graph> graphs;
  std::vector<float> all_scores;
  std::vector<NodeId> parents;
  NodeId first = 0;
  for (int g = 0; g < 10; ++g) {
    graphs.push_back(random_graph(20, 30, generator));
    const std::vector<float> scores = random_scores(graphs.back(), generator, 3);
    all_scores.insert(all_scores.end(), scores.begin(), scores.end());
    const Contraction alone = contract_edges<float>(graphs.back(), scores);
    for (const NodeId p : alone.parent.parents()) parents.push_back(first + p);
    first += alone.parent.num_parents();
  }
  const Batch batch{std::span<const Graph>(graphs)};
  EXPECT_THAT(contract_edges<float>(batch.graph(), all_scores).parent.parents(),
              ElementsAreArray(parents));
}

TEST(NodeOrder, GivesTheGreedyOfNodesNumberedAsTheyWereMade) {
  Generator generator(5);
  for (const SelfLoops self_loops : {SelfLoops::kRemove, SelfLoops::kKeep}) {
    for (const auto& [name, graph] : test::small_graphs()) {
      SCOPED_TRACE(name);
      for (int round = 0; round < 20; ++round)
        expect_greedy_levels(graph, self_loops, 1 + round % 4, generator);
    }
    for (int round = 0; round < 40; ++round) {
      const Graph graph = random_graph(60, 60 + 4 * round, generator);
      expect_greedy_levels(graph, self_loops, 1 + round % 4, generator);
    }
  }
}

TEST(NodeOrder, DecidesTiesOtherwiseThanIdsWould) {
  const Graph path = path_graph(4);  // slots: 0<-1, 1<-0, 1<-2, 2<-1, 2<-3, 3<-2
  const std::vector<float> scores{1, 0, 0, 0, 2, 0};
  const Contraction contraction = contract_edges<float>(path, scores);
  EXPECT_THAT(contraction.parent.parents(), ElementsAre(0, 0, 1, 1));
  const NodeOrder order = order_above(path, contraction, scores, {});
  EXPECT_TRUE(order.before(1, 0));  // the better edge made its node first
  EXPECT_FALSE(order.before(0, 1));
  EXPECT_FALSE(order.before(0, 0));
  EXPECT_TRUE(order.edge_after(0, 1, 1, 0));
  EXPECT_FALSE(NodeOrder().edge_after(0, 1, 1, 0));
}

TEST(NodeOrder, GraphsOfABatchDoNotSeeEachOtherOnTheSecondLevel) {
  Generator generator(6);
  for (int round = 0; round < 20; ++round) {
    std::vector<Graph> graphs;
    std::vector<float> scores;
    std::vector<float> coarse_scores;
    std::vector<NodeId> parents;
    NodeId first = 0;
    for (int g = 0; g < 8; ++g) {
      const Graph& graph = graphs.emplace_back(random_graph(25, 45, generator));
      const std::vector<float> own = random_scores(graph, generator, 2);
      const Contraction below = contract_edges<float>(graph, own);
      const Graph coarse = coarse_graph(graph, below.parent);
      const std::vector<float> above = random_scores(coarse, generator, 2);
      const Contraction alone =
          contract_edges<float>(coarse, above, order_above(graph, below, own, {}));
      scores.insert(scores.end(), own.begin(), own.end());
      coarse_scores.insert(coarse_scores.end(), above.begin(), above.end());
      for (const NodeId p : alone.parent.parents()) parents.push_back(first + p);
      first += alone.parent.num_parents();
    }
    const Graph batch = Batch(std::span<const Graph>(graphs)).graph();
    const Contraction below = contract_edges<float>(batch, scores);
    const Contraction together = contract_edges<float>(
        coarse_graph(batch, below.parent), coarse_scores, order_above(batch, below, scores, {}));
    EXPECT_THAT(together.parent.parents(), ElementsAreArray(parents));
  }
}

TEST(ContractEdges, IsAMaximalMatchingWithoutSelfLoops) {
  Generator generator(4);
  const Graph graph = test::skewed_graph();
  const ParentMap parent =
      contract_edges<float>(graph, random_scores(graph, generator, 100)).parent;
  EXPECT_TRUE(parent.is_total() && parent.is_onto() && parent.is_ordered());
  for (NodeId p = 0; p < parent.num_parents(); ++p) {
    const auto members = parent.members(p);
    ASSERT_LE(members.size(), 2U);
    if (members.size() == 2) {
      EXPECT_TRUE(graph.has_edge(members[0], members[1]));
    }
    if (members.size() == 1) {
      for (const NodeId u : graph.neighbours(members[0])) {
        EXPECT_EQ(parent.members(parent.parent(u)).size(), 2U);
      }
    }
  }
}

TEST(ContractEdges, NeverContractsWhatIsNotANumber) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Graph path = path_graph(3);  // slots: 0<-1, 1<-0, 1<-2, 2<-1
  EXPECT_THAT(contract_edges<float>(path, std::vector<float>{nan, nan, nan, 0}).parent.parents(),
              ElementsAre(0, 1, 1));
  EXPECT_THAT(contract_edges<float>(path, std::vector<float>(4, nan)).parent.parents(),
              ElementsAre(0, 1, 2));
  EXPECT_THROW(contract_edges<float>(path, std::vector<float>(3)), InvalidGraph);
}

TEST(ContractEdges, AgreesWithTheTestVectors) {
  int checked = 0;
  for (const auto& c : test::golden_cases()) {
    if (c.name != "edgepool" && c.name != "edgepool_self_loops") continue;
    SCOPED_TRACE(c.file.string());
    Graph graph = c.graph();
    for (int l = 0; l < c.json.at("inputs").at("levels").get<int>(); ++l) {
      const std::string level = "level" + std::to_string(l) + ".";
      const torch::Tensor by_slot = c.by_slot(graph, c.output(level + "edge_score"));
      const std::vector<float> scores(by_slot.data_ptr<float>(),
                                      by_slot.data_ptr<float>() + by_slot.numel());
      const Contraction got = contract_edges<float>(graph, scores);
      const torch::Tensor parent = c.output(level + "parent");
      const torch::Tensor merge_score = c.output(level + "merge_score");
      for (NodeId v = 0; v < graph.num_nodes(); ++v) {
        EXPECT_EQ(got.parent.parent(v), parent[v].item<std::int64_t>());
      }
      for (NodeId p = 0; p < got.parent.num_parents(); ++p) {
        EXPECT_EQ(got.slot[p] == kNoSlot ? 1.0F : scores[got.slot[p]],
                  merge_score[p].item<float>());
      }
      const SelfLoops self_loops = c.name == "edgepool" ? SelfLoops::kRemove : SelfLoops::kKeep;
      const Graph coarse = coarse_graph(graph, got.parent, {.self_loops = self_loops});
      const torch::Tensor edges = c.output(level + "coarse_edge_index");
      ASSERT_EQ(coarse.num_edges(), edges.size(1));
      for (std::int64_t e = 0; e < edges.size(1); ++e) {
        EXPECT_TRUE(coarse.has_edge(edges[0][e].item<int>(), edges[1][e].item<int>()));
      }
      graph = coarse;
    }
    ++checked;
  }
  EXPECT_GT(checked, 0);
}

}  // namespace
}  // namespace hgnet
