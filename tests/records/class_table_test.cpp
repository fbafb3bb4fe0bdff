#include "hgnet/records/class_table.hpp"

#include <gtest/gtest.h>

namespace hgnet {
namespace {

Confusion counts(std::int64_t no_no, std::int64_t no_yes, std::int64_t yes_no,
                 std::int64_t yes_yes) {
  Confusion confusion(2);
  confusion.at(0, 0) = no_no;
  confusion.at(0, 1) = no_yes;
  confusion.at(1, 0) = yes_no;
  confusion.at(1, 1) = yes_yes;
  return confusion;
}

TEST(ClassTable, AClassIsARowOfTheOneConfusion) {
  const ClassTable table{{"cat", "dog"}, {counts(3, 1, 2, 4)}, false};
  EXPECT_EQ(table.scores(0).samples, 4);
  EXPECT_DOUBLE_EQ(*table.scores(0).precision, 3.0 / 5);
  EXPECT_EQ(table.scores(1).samples, 6);
  EXPECT_DOUBLE_EQ(*table.scores(1).precision, 4.0 / 5);
}

TEST(ClassTable, ALabelIsTheYesOfItsOwnConfusion) {
  const ClassTable table{{"sweet", "sour"}, {counts(3, 1, 2, 4), counts(9, 0, 1, 0)}, true};
  EXPECT_EQ(table.scores(0).samples, 6);
  EXPECT_DOUBLE_EQ(*table.scores(0).recall, 4.0 / 6);
  EXPECT_EQ(table.scores(1).samples, 1);
  EXPECT_FALSE(table.scores(1).precision);
}

TEST(ClassTable, AddsTheCountsOfAnotherEverywhere) {
  ClassTable table{{"sweet", "sour"}, {counts(1, 2, 3, 4), counts(5, 6, 7, 8)}, true};
  table.add({{"sweet", "sour"}, {counts(10, 20, 30, 40), counts(50, 60, 70, 80)}, true});
  EXPECT_EQ(table.confusions[0].at(0, 1), 22);
  EXPECT_EQ(table.confusions[0].at(1, 1), 44);
  EXPECT_EQ(table.confusions[1].at(0, 0), 55);
  EXPECT_EQ(table.confusions[1].at(1, 0), 77);
}

}  // namespace
}  // namespace hgnet
