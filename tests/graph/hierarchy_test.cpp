#include "hgnet/graph/hierarchy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hgnet/core/error.hpp"
#include "hgnet/graph/generators.hpp"
#include "support/errors.hpp"
#include "support/graphs.hpp"

namespace hgnet {
namespace {

using test::edges;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;

/// 0-1-2-3-4-5 to 01-23-45 to 0123-45.
Hierarchy path_of_six() {
  Hierarchy hierarchy(path_graph(6));
  hierarchy.add({ParentMap({0, 0, 1, 1, 2, 2}, 3), path_graph(3)});
  hierarchy.add({ParentMap({0, 0, 1}, 2), path_graph(2)});
  return hierarchy;
}

TEST(Hierarchy, HoldsGraphsAndParents) {
  const Hierarchy hierarchy = path_of_six();
  EXPECT_EQ(hierarchy.num_levels(), 2);
  EXPECT_EQ(hierarchy.graph(0).num_nodes(), 6);
  EXPECT_EQ(hierarchy.graph(2).num_nodes(), 2);
  EXPECT_EQ(hierarchy.parent(1).parent(2), 1);
  EXPECT_NO_THROW(hierarchy.validate_contractions());
}

TEST(Hierarchy, ComposesParentsFromTheInput) {
  const Hierarchy hierarchy = path_of_six();
  EXPECT_THAT(hierarchy.parent_from_input(0).parents(), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(hierarchy.parent_from_input(1).parents(), ElementsAre(0, 0, 1, 1, 2, 2));
  EXPECT_THAT(hierarchy.parent_from_input(2).parents(), ElementsAre(0, 0, 0, 0, 1, 1));
  EXPECT_THAT(hierarchy.parent_from_input(2).members(0), ElementsAre(0, 1, 2, 3));
}

TEST(Hierarchy, RefusesLevelsThatDoNotFit) {
  const auto add = [](ParentMap parent, Graph graph) {
    return test::error_of<InvalidHierarchy>([&] { Hierarchy(path_graph(3)).add({parent, graph}); });
  };
  EXPECT_THAT(add(ParentMap({0, 0}, 1), path_graph(1)),
              HasSubstr("level 1: the parent map covers 2 nodes, the graph below has 3"));
  EXPECT_THAT(add(ParentMap({0, 0, 1}, 2), path_graph(3)),
              HasSubstr("level 1: the parent map leads to 2 nodes, the graph has 3"));
  EXPECT_THAT(add(ParentMap({0, 0, 0}, 2), path_graph(2)), HasSubstr("has no members"));
  EXPECT_THAT(add(ParentMap({1, 0, 0}, 2), path_graph(2)), HasSubstr("smallest member"));
  EXPECT_EQ(add(ParentMap({0, kNoNode, 1}, 2), path_graph(2)), "no error");
  const Hierarchy hierarchy = path_of_six();
  EXPECT_THAT(test::error_of<InvalidHierarchy>([&] { static_cast<void>(hierarchy.graph(3)); }),
              HasSubstr("0 .. 2"));
  EXPECT_THAT(test::error_of<InvalidHierarchy>([&] { static_cast<void>(hierarchy.parent(2)); }),
              HasSubstr("level 2"));
  EXPECT_THAT(
      test::error_of<InvalidHierarchy>([&] { static_cast<void>(hierarchy.parent_from_input(3)); }),
      HasSubstr("level 3"));
  EXPECT_THAT(
      test::error_of<InvalidHierarchy>([&] { static_cast<void>(hierarchy.parent_from_input(-1)); }),
      HasSubstr("level -1"));
}

TEST(Hierarchy, TellsContractionsFromOtherGraphs) {
  const ParentMap pairs({0, 0, 1, 1}, 2);
  Hierarchy missing(path_graph(4));
  missing.add({pairs, Graph::from_edges(2, {})});
  EXPECT_EQ(test::error_of<InvalidHierarchy>([&] { missing.validate_contractions(); }),
            "level 1: coarse nodes 0 and 1 are not adjacent, although some of their members are");
  Hierarchy extra(Graph::from_edges(4, edges({{0, 1}, {2, 3}})));
  extra.add({pairs, path_graph(2)});
  EXPECT_EQ(test::error_of<InvalidHierarchy>([&] { extra.validate_contractions(); }),
            "level 1: coarse nodes 0 and 1 are adjacent, although none of their members are");
  Hierarchy with_loops(path_graph(4));
  with_loops.add({pairs, Graph::from_edges(2, edges({{0, 0}, {0, 1}, {1, 1}}),
                                           {.self_loops = SelfLoops::kKeep})});
  EXPECT_NO_THROW(with_loops.validate_contractions());
}

TEST(Hierarchy, EmptyAndSingleNodeGraphsWork) {
  Hierarchy empty{Graph()};
  empty.add({ParentMap(), Graph()});
  EXPECT_EQ(empty.parent_from_input(1).num_parents(), 0);
  EXPECT_NO_THROW(empty.validate_contractions());
  Hierarchy single(path_graph(1));
  single.add({ParentMap::identity(1), path_graph(1)});
  EXPECT_THAT(single.parent_from_input(1).parents(), ElementsAre(0));
}

using Pointers = std::vector<const Hierarchy*>;

/// A weighted triangle and a separate node, coarsened to one node and that node.
Hierarchy weighted_triangle() {
  EdgeList list = edges({{0, 1}, {1, 2}, {0, 2}});
  list.weight = {2, 3, 4};
  Hierarchy hierarchy(Graph::from_edges(4, list));
  hierarchy.add({ParentMap({0, 0, 0, 1}, 2), Graph::from_edges(2, {})});
  hierarchy.add({ParentMap::identity(2), Graph::from_edges(2, {})});
  return hierarchy;
}

TEST(Hierarchy, JoinedEqualsJoiningLevelByLevel) {
  const std::vector<Hierarchy> parts{path_of_six(), weighted_triangle(), path_of_six()};
  const Hierarchy joined = Hierarchy::joined(Pointers{&parts[0], &parts[1], &parts[2]});
  ASSERT_EQ(joined.num_levels(), 2);
  for (int level = 0; level <= 2; ++level) {
    SCOPED_TRACE(level);
    std::vector<Graph> graphs;
    for (const Hierarchy& part : parts) graphs.push_back(part.graph(level));
    const Graph by_hand = Batch(std::span<const Graph>(graphs)).graph();
    EXPECT_THAT(joined.graph(level).offsets(), ElementsAreArray(by_hand.offsets()));
    EXPECT_THAT(joined.graph(level).columns(), ElementsAreArray(by_hand.columns()));
    EXPECT_THAT(joined.graph(level).weights(), ElementsAreArray(by_hand.weights()));
  }
  EXPECT_THAT(joined.parent(0).parents(),
              ElementsAre(0, 0, 1, 1, 2, 2, 3, 3, 3, 4, 5, 5, 6, 6, 7, 7));
  EXPECT_THAT(joined.parent(1).parents(), ElementsAre(0, 0, 1, 2, 3, 4, 4, 5));
  EXPECT_NO_THROW(joined.validate_contractions());
}

TEST(Hierarchy, JoinedOfNoneIsEmptyAndOfOneTheSame) {
  EXPECT_EQ(Hierarchy::joined({}).num_levels(), 0);
  EXPECT_EQ(Hierarchy::joined({}).graph(0).num_nodes(), 0);
  const Hierarchy path = path_of_six();
  const Hierarchy alone = Hierarchy::joined(Pointers{&path});
  ASSERT_EQ(alone.num_levels(), 2);
  EXPECT_THAT(alone.parent(1).parents(), ElementsAreArray(path.parent(1).parents()));
  EXPECT_THAT(alone.graph(0).columns(), ElementsAreArray(path.graph(0).columns()));
}

TEST(Hierarchy, JoinedNamesTheHierarchyOfAnotherDepth) {
  const Hierarchy path = path_of_six();
  const Hierarchy flat(path_graph(3));
  EXPECT_EQ(test::error_of<InvalidHierarchy>([&] {
              Hierarchy::joined(Pointers{&path, &path, &flat});
            }),
            "joining hierarchies: number 2 has 0 coarse levels, those before it 2");
}

}  // namespace
}  // namespace hgnet
