#include "hgnet/graph/parent_map.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hgnet/core/error.hpp"
#include "support/graphs.hpp"

namespace hgnet {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;

TEST(ParentMap, MembersAreTheInverseOfParents) {
  const ParentMap map({1, 0, 1, kNoNode, 0}, 3);
  EXPECT_EQ(map.num_children(), 5);
  EXPECT_EQ(map.num_parents(), 3);
  EXPECT_THAT(map.members(0), ElementsAre(1, 4));
  EXPECT_THAT(map.members(1), ElementsAre(0, 2));
  EXPECT_THAT(map.members(2), IsEmpty());
  EXPECT_FALSE(map.is_total());
  EXPECT_FALSE(map.is_onto());
  EXPECT_FALSE(map.is_ordered());
}

TEST(ParentMap, SingletonsAreTheIdentity) {
  const ParentMap map = ParentMap::identity(4);
  EXPECT_TRUE(map.is_total() && map.is_onto() && map.is_ordered());
  for (NodeId v = 0; v < 4; ++v) EXPECT_THAT(map.members(v), ElementsAre(v));
  const ParentMap other({0, 0, 1, 0}, 2);
  EXPECT_THAT(map.then(other).parents(), ElementsAre(0, 0, 1, 0));
  EXPECT_THAT(other.then(ParentMap::identity(2)).parents(), ElementsAre(0, 0, 1, 0));
}

TEST(ParentMap, IsOrderedWhenNewParentsComeUpInOrder) {
  EXPECT_TRUE(ParentMap({0, 1, 0, 2, 1}, 3).is_ordered());
  EXPECT_TRUE(ParentMap({kNoNode, 0, kNoNode, 1}, 2).is_ordered());
  EXPECT_FALSE(ParentMap({1, 0, 1}, 2).is_ordered());
  EXPECT_FALSE(ParentMap({0, 2, 1, 2}, 3).is_ordered());
  EXPECT_FALSE(ParentMap({0, 0}, 2).is_ordered());
}

TEST(ParentMap, LabelsAreNumberedBySmallestMember) {
  const std::vector<NodeId> labels{7, 3, 7, -1, 3, 0};
  const ParentMap map = ParentMap::from_labels(labels);
  EXPECT_THAT(map.parents(), ElementsAre(0, 1, 0, kNoNode, 1, 2));
  EXPECT_TRUE(map.is_ordered());
  EXPECT_EQ(ParentMap::from_labels({}).num_parents(), 0);
  EXPECT_EQ(ParentMap::from_labels(std::vector<NodeId>{-1, -5}).num_parents(), 0);
}

void expect_same(const ParentMap& got, const ParentMap& expected) {
  EXPECT_EQ(got.num_parents(), expected.num_parents());
  EXPECT_THAT(got.parents(), ElementsAreArray(expected.parents()));
  EXPECT_THAT(got.members().offsets, ElementsAreArray(expected.members().offsets));
  EXPECT_THAT(got.members().columns, ElementsAreArray(expected.members().columns));
}

TEST(ParentMap, OffsetsAreParentsInOrder) {
  expect_same(ParentMap::from_offsets(std::vector<std::int64_t>{0, 2, 2, 3}),
              ParentMap({0, 0, 2}, 3));
  expect_same(ParentMap::from_offsets(std::vector<std::int64_t>{0}), ParentMap());
}

TEST(ParentMap, ComposesStepByStep) {
  const ParentMap lower = test::random_map(50, 20, 1);
  const ParentMap upper = test::random_map(20, 5, 2);
  const ParentMap both = lower.then(upper);
  EXPECT_EQ(both.num_parents(), 5);
  for (NodeId v = 0; v < 50; ++v) {
    const NodeId p = lower.parent(v);
    EXPECT_EQ(both.parent(v), p == kNoNode ? kNoNode : upper.parent(p));
  }
  EXPECT_THROW(upper.then(lower), InvalidHierarchy);
}

TEST(ParentMap, RefusesParentsThatDoNotExist) {
  try {
    const ParentMap map({0, 2}, 2);
    FAIL();
  } catch (const InvalidHierarchy& error) {
    EXPECT_STREQ(error.what(),
                 "node 1: parent 2 does not exist; expected 0 <= parent < 2, or -1 for none");
  }
  EXPECT_THROW(ParentMap({-2}, 2), InvalidHierarchy);
  EXPECT_THROW(ParentMap({}, -1), InvalidHierarchy);
  for (const std::vector<std::int64_t>& offsets :
       {std::vector<std::int64_t>{}, {1, 2}, {0, 2, 1}, {0, 1LL << 40}}) {
    EXPECT_THROW(ParentMap::from_offsets(offsets), InvalidHierarchy);
  }
}

TEST(ParentMap, EmptyOnesWork) {
  EXPECT_EQ(ParentMap().num_children(), 0);
  EXPECT_TRUE(ParentMap().is_total() && ParentMap().is_onto() && ParentMap().is_ordered());
  EXPECT_EQ(ParentMap({}, 3).members(2).size(), 0U);
}

TEST(ParentMap, JoinedNumbersNodesAndParentsOn) {
  const ParentMap first({1, kNoNode, 0}, 3);  // parent 2 has no members
  const ParentMap none;
  const ParentMap last({0, 1, 0}, 2);
  const ParentMap joined = ParentMap::joined(std::vector<const ParentMap*>{&first, &none, &last});
  EXPECT_THAT(joined.parents(), ElementsAre(1, kNoNode, 0, 3, 4, 3));
  EXPECT_EQ(joined.num_parents(), 5);
  EXPECT_THAT(joined.members(2), IsEmpty());
  EXPECT_THAT(joined.members(3), ElementsAre(3, 5));
}

TEST(ParentMap, JoinedEqualsTheMapOfAllParents) {
  const std::vector<ParentMap> maps{test::random_map(30, 9, 1), test::random_map(0, 4, 2),
                                    test::random_map(11, 0, 3), test::random_map(25, 30, 4)};
  std::vector<const ParentMap*> pointers;
  std::vector<NodeId> parents;
  NodeId first = 0;
  for (const ParentMap& map : maps) {
    pointers.push_back(&map);
    for (const NodeId p : map.parents()) parents.push_back(p == kNoNode ? kNoNode : first + p);
    first += map.num_parents();
  }
  expect_same(ParentMap::joined(pointers), ParentMap(parents, first));
}

TEST(ParentMap, JoinedOfNoneIsEmptyAndOfOneTheSame) {
  const ParentMap nothing = ParentMap::joined({});
  EXPECT_EQ(nothing.num_children(), 0);
  EXPECT_EQ(nothing.num_parents(), 0);
  const ParentMap map = test::random_map(40, 9, 1);
  const ParentMap alone = ParentMap::joined(std::vector<const ParentMap*>{&map});
  EXPECT_THAT(alone.parents(), ElementsAreArray(map.parents()));
  EXPECT_EQ(alone.num_parents(), map.num_parents());
}

}  // namespace
}  // namespace hgnet
