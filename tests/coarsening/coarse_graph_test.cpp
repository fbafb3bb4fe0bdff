#include "hgnet/coarsening/coarse_graph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "hgnet/core/error.hpp"
#include "hgnet/core/random.hpp"
#include "hgnet/graph/generators.hpp"
#include "hgnet/graph/hierarchy.hpp"
#include "support/graphs.hpp"

namespace hgnet {
namespace {

using test::edges;
using testing::ElementsAre;
using testing::ElementsAreArray;

/// A weighted graph, connected or not, with rows of two numbers.
Graph decorated_graph(Generator& generator) {
  EdgeList list;
  list.row_width = 2;
  for (int i = 0; i < 90; ++i) {
    list.source.push_back(static_cast<std::int64_t>(generator.below(30)));
    list.target.push_back(static_cast<std::int64_t>(generator.below(30)));
    list.weight.push_back(static_cast<float>(generator.uniform()));
    list.rows.push_back(static_cast<float>(generator.uniform()));
    list.rows.push_back(static_cast<float>(generator.uniform()));
  }
  return Graph::from_edges(30, list, {.self_loops = SelfLoops::kKeep});
}

void expect_slots_by_definition(const Graph& fine, const ParentMap& parent, const Graph& coarse) {
  const ParentMap slots = coarse_slots(fine, parent, coarse);
  ASSERT_EQ(slots.num_children(), fine.num_edges());
  ASSERT_EQ(slots.num_parents(), coarse.num_edges());
  for (NodeId v = 0; v < fine.num_nodes(); ++v) {
    for (EdgeId s = fine.offsets()[v]; s < fine.offsets()[v + 1]; ++s) {
      const NodeId p = parent.parent(v);
      const NodeId q = parent.parent(fine.columns()[s]);
      const NodeId slot = slots.parents()[s];
      if (p == kNoNode || q == kNoNode || !coarse.has_edge(q, p)) {
        EXPECT_EQ(slot, kNoNode);
        continue;
      }
      EXPECT_EQ(coarse.columns()[slot], q);
      EXPECT_TRUE(coarse.offsets()[p] <= slot && slot < coarse.offsets()[p + 1]);
    }
  }
}

TEST(CoarseGraph, EqualsTheDefinitionByBruteForce) {
  Generator generator(1);
  for (int round = 0; round < 40; ++round) {
    const Graph fine = decorated_graph(generator);
    const ParentMap parent = test::random_map(30, 1 + round % 12, round);
    for (const SelfLoops loops : {SelfLoops::kRemove, SelfLoops::kKeep}) {
      for (const EdgePooling pooling : {EdgePooling::kMean, EdgePooling::kSum}) {
        struct Sum {
          double weight = 0;
          int count = 0;
        };
        std::map<std::pair<NodeId, NodeId>, Sum> expected;
        for (NodeId v = 0; v < 30; ++v) {
          for (EdgeId s = fine.offsets()[v]; s < fine.offsets()[v + 1]; ++s) {
            const NodeId p = parent.parent(v);
            const NodeId q = parent.parent(fine.columns()[s]);
            if (p == kNoNode || q == kNoNode || (p == q && loops == SelfLoops::kRemove)) continue;
            Sum& sum = expected[{p, q}];
            sum.weight += fine.weights()[s];
            ++sum.count;
          }
        }
        const Graph coarse = coarse_graph(fine, parent, {loops, pooling});
        EXPECT_NO_THROW(Graph::from_csr(coarse.parts()));
        EXPECT_EQ(coarse.num_nodes(), parent.num_parents());
        ASSERT_EQ(static_cast<std::size_t>(coarse.num_edges()), expected.size());
        auto entry = expected.begin();
        for (NodeId p = 0; p < coarse.num_nodes(); ++p) {
          for (EdgeId s = coarse.offsets()[p]; s < coarse.offsets()[p + 1]; ++s, ++entry) {
            EXPECT_EQ(entry->first, std::pair(p, coarse.columns()[s]));
            const double divisor = pooling == EdgePooling::kMean ? entry->second.count : 1;
            EXPECT_NEAR(coarse.weights()[s], entry->second.weight / divisor, 1e-5);
          }
        }
        EXPECT_TRUE(coarse.edge_rows().empty());
        expect_slots_by_definition(fine, parent, coarse);
      }
    }
  }
}

TEST(CoarseGraph, SingletonsGiveTheSameGraph) {
  Generator generator(2);
  const Graph graph = decorated_graph(generator);
  const Graph same = coarse_graph(graph, ParentMap::identity(30), {.self_loops = SelfLoops::kKeep});
  EXPECT_EQ(same.parts().offsets, graph.parts().offsets);
  EXPECT_EQ(same.parts().columns, graph.parts().columns);
  EXPECT_EQ(same.parts().weights, graph.parts().weights);
}

TEST(CoarseGraph, OneCommunityGivesOneNode) {
  const Graph grid = grid_graph(4, 4);
  const ParentMap all(std::vector<NodeId>(16, 0), 1);
  EXPECT_EQ(coarse_graph(grid, all).num_edges(), 0);
  EXPECT_EQ(coarse_graph(grid, all, {.self_loops = SelfLoops::kKeep}).num_edges(), 1);
}

TEST(CoarseGraph, NodesWithoutParentTakeTheirEdgesAlong) {
  const Graph path = path_graph(5);
  const Graph induced = coarse_graph(path, ParentMap({0, 1, kNoNode, 2, 3}, 4));
  EXPECT_THAT(induced.neighbours(0), ElementsAre(1));
  EXPECT_THAT(induced.neighbours(1), ElementsAre(0));
  EXPECT_THAT(induced.neighbours(2), ElementsAre(3));
}

TEST(CoarseGraph, EmptyOnesWorkAndWrongMapsAreRefused) {
  EXPECT_EQ(coarse_graph(Graph(), ParentMap()).num_nodes(), 0);
  EXPECT_EQ(coarse_graph(path_graph(2), ParentMap({kNoNode, kNoNode}, 0)).num_nodes(), 0);
  EXPECT_THROW(coarse_graph(path_graph(2), ParentMap({0}, 1)), InvalidHierarchy);
}

}  // namespace
}  // namespace hgnet
