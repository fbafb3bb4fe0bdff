#include "hgnet/records/confusion.hpp"

#include <gtest/gtest.h>

namespace hgnet {
namespace {

TEST(Confusion, ScoresByClassCountedByHand) {
  // Truth a a a b b; predicted a a b a b. Class c occurs nowhere.
  Confusion confusion(3);
  confusion.at(0, 0) = 2;
  confusion.at(0, 1) = 1;
  confusion.at(1, 0) = 1;
  confusion.at(1, 1) = 1;
  const ClassScores a = class_scores(confusion, 0);
  EXPECT_EQ(a.samples, 3);
  EXPECT_DOUBLE_EQ(*a.precision, 2.0 / 3);
  EXPECT_DOUBLE_EQ(*a.recall, 2.0 / 3);
  const ClassScores b = class_scores(confusion, 1);
  EXPECT_DOUBLE_EQ(*b.precision, 0.5);
  EXPECT_DOUBLE_EQ(*b.recall, 0.5);
  EXPECT_DOUBLE_EQ(*b.f1, 0.5);
  const ClassScores c = class_scores(confusion, 2);
  EXPECT_EQ(c.samples, 0);
  EXPECT_FALSE(c.precision || c.recall || c.f1);
}

TEST(Confusion, AClassThatIsNeverPredictedHasNoPrecision) {
  Confusion confusion(2);
  confusion.at(0, 0) = 4;
  confusion.at(1, 0) = 1;
  const ClassScores scores = class_scores(confusion, 1);
  EXPECT_FALSE(scores.precision);
  EXPECT_DOUBLE_EQ(*scores.recall, 0);
  EXPECT_DOUBLE_EQ(*scores.f1, 0);
}

}  // namespace
}  // namespace hgnet
