#include "hgnet/train/split_warnings.hpp"

#include <gmock/gmock.h>

namespace hgnet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Labels only: 0 stands for cat, 1 for dog.
Dataset labelled(std::vector<std::int32_t> classes) {
  Dataset dataset;
  dataset.classes = std::move(classes);
  dataset.class_names = {"cat", "dog"};
  return dataset;
}

TEST(SplitWarnings, FiveSamplesOfEachClassAreEnough) {
  const Dataset dataset = labelled({0, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0});
  const std::vector<Split> splits{{{0, 1}, {12}, {2, 3, 4, 5, 6, 7, 8, 9, 10, 11}}};
  EXPECT_THAT(split_warnings(dataset, splits), IsEmpty());
}

TEST(SplitWarnings, NamesAClassWithFewTestSamples) {
  const Dataset dataset = labelled({0, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, kUnlabelled, 0});
  const std::vector<Split> splits{{{0, 1}, {12}, {2, 3, 4, 5, 6, 7, 8, 9, 10, 11}}};
  EXPECT_THAT(split_warnings(dataset, splits),
              ElementsAre(HasSubstr("fewer than 5 test samples of a class: dog (4);")));
}

TEST(SplitWarnings, OfSeveralFoldsTheSmallestCounts) {
  const Dataset dataset = labelled({0, 1, 0, 1, 0, 0, 0, 0});
  const std::vector<Split> splits{{{0, 1}, {4}, {2, 3}}, {{2, 3}, {1}, {0, 4, 5, 6, 7}}};
  EXPECT_THAT(split_warnings(dataset, splits),
              ElementsAre(HasSubstr("in a fold: cat (1), dog (0)")));
}

TEST(SplitWarnings, TrainingSamplesOfOneClass) {
  const Dataset dataset = labelled({1, kUnlabelled, 0});
  EXPECT_THAT(split_warnings(dataset, std::vector<Split>{{{0, 1}, {2}, {}}}),
              ElementsAre(HasSubstr("the split has no test samples"),
                          HasSubstr("all training samples with a label have the class dog")));
}

TEST(SplitWarnings, SplitsWithoutTestSamples) {
  Dataset numbers;
  numbers.target_kind = TargetKind::kRegression;
  EXPECT_THAT(split_warnings(numbers, std::vector<Split>{{{0}, {1}, {}}, {{1}, {}, {0}}}),
              ElementsAre(HasSubstr("1 of 2 splits have no test samples"),
                          HasSubstr("no validation samples, so the weights of the last epoch")));
}

}  // namespace
}  // namespace hgnet
