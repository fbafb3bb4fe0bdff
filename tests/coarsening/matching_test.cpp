#include "hgnet/coarsening/matching.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hgnet/coarsening/build.hpp"
#include "hgnet/coarsening/coarse_graph.hpp"
#include "hgnet/graph/generators.hpp"
#include "support/graphs.hpp"

namespace hgnet {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

void expect_maximal_matching(const Graph& graph, const Contraction& contraction) {
  const ParentMap& parent = contraction.parent;
  EXPECT_TRUE(parent.is_total() && parent.is_onto() && parent.is_ordered());
  ASSERT_EQ(static_cast<NodeId>(contraction.slot.size()), parent.num_parents());
  for (NodeId p = 0; p < parent.num_parents(); ++p) {
    const auto members = parent.members(p);
    ASSERT_LE(members.size(), 2U);
    EXPECT_EQ(members.size() == 2, contraction.slot[p] != kNoSlot);
    if (members.size() == 2) {
      EXPECT_TRUE(graph.has_edge(members[0], members[1]));
    }
    for (const NodeId u : graph.neighbours(members[0])) {
      if (members.size() == 1 && u != members[0]) {
        EXPECT_EQ(parent.members(parent.parent(u)).size(), 2U);
      }
    }
  }
}

TEST(Matching, IsMaximalAndRepeatsForASeed) {
  for (const auto& [name, graph] : test::small_graphs()) {
    SCOPED_TRACE(name);
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      expect_maximal_matching(graph, random_matching(graph, seed));
      expect_maximal_matching(graph, heavy_edge_matching(graph, seed));
      EXPECT_THAT(random_matching(graph, seed).parent.parents(),
                  ElementsAreArray(random_matching(graph, seed).parent.parents()));
    }
  }
}

TEST(Matching, PrefersHeavyEdges) {
  EdgeList list = test::edges({{0, 1}, {1, 2}, {2, 3}});
  list.weight = {1, 5, 1};
  const Graph path = Graph::from_edges(4, list);
  int heavy = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const auto parent = heavy_edge_matching(path, seed).parent;
    heavy += parent.parent(1) == parent.parent(2) ? 1 : 0;
  }
  // Unless an end node comes first and takes its only neighbour, the middle edge wins.
  EXPECT_GT(heavy, 10);
  EXPECT_LT(heavy, 40);
}

TEST(Matching, DrawsAmongEqualEdges) {
  const Graph star = Graph::from_edges(5, test::edges({{0, 1}, {0, 2}, {0, 3}, {0, 4}}));
  std::vector<int> taken(5, 0);
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const ParentMap parent = random_matching(star, seed).parent;
    ++taken.at(parent.members(parent.parent(0)).back());
  }
  for (int leaf = 1; leaf < 5; ++leaf) EXPECT_NEAR(taken[leaf], 1000, 100) << leaf;
}

Level random_step(const Graph& graph, int level) {
  const ParentMap parent = random_matching(graph, level).parent;
  return {parent, coarse_graph(graph, parent)};
}

TEST(BuildHierarchy, GoesOnUntilNothingMerges) {
  const Hierarchy full = build_hierarchy(grid_graph(16, 16), kFullDepth, random_step);
  EXPECT_EQ(full.graph(full.num_levels()).num_nodes(), 1);
  EXPECT_NO_THROW(full.validate_contractions());
  EXPECT_EQ(build_hierarchy(grid_graph(16, 16), 3, random_step).num_levels(), 3);
  EXPECT_EQ(build_hierarchy(Graph(), kFullDepth, random_step).num_levels(), 0);
  EXPECT_EQ(build_hierarchy(Graph::from_edges(3, {}), kFullDepth, random_step).num_levels(), 0);
}

TEST(BuildHierarchy, CarriesOverWhatCannotBeCoarsened) {
  const Hierarchy hierarchy = build_hierarchy_of_depth(path_graph(2), 4, random_step);
  EXPECT_EQ(hierarchy.num_levels(), 4);
  EXPECT_EQ(hierarchy.graph(4).num_nodes(), 1);
  EXPECT_THAT(hierarchy.parent_from_input(4).parents(), ElementsAre(0, 0));
}

}  // namespace
}  // namespace hgnet
