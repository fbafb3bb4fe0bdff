#include "hgnet/train/judge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hgnet/core/random.hpp"
#include "hgnet/data/color_dataset.hpp"
#include "hgnet/graph/generators.hpp"
#include "support/errors.hpp"

namespace hgnet {
namespace {

using test::error_of;
using testing::HasSubstr;

/// Paths of 32 nodes, 16 of them red: in blocks of four (label 1), or alternating (label 0), and
/// shifted at random. Only who looks at neighbours tells them apart.
Dataset blocks_or_alternating(std::int64_t samples) {
  ColorConnectivity colourings;
  colourings.graph = path_graph(32);
  Generator generator(3);
  for (std::int64_t i = 0; i < samples; ++i) {
    const auto label = static_cast<std::uint8_t>(i % 2);
    const std::uint64_t shift = generator.below(8);
    std::uint64_t word = 0;
    for (std::uint64_t v = 0; v < 32; ++v) {
      const bool red = label == 1 ? (v + shift) % 8 < 4 : (v + shift) % 2 == 0;
      if (red) word |= std::uint64_t{1} << v;
    }
    colourings.red.push_back(word);
    colourings.labels.push_back(label);
    colourings.attempts.push_back(static_cast<std::uint64_t>(i));
  }
  return color_dataset(colourings);
}

Split halves(std::int64_t samples) {
  Split split;
  for (std::int64_t i = 0; i < samples; ++i)
    (i < samples / 2 ? split.train : split.test).push_back(i);
  return split;
}

TEST(Judge, AFlatModelScoresWhatItHasNotSeenWithTheSignOfTheLabel) {
  const Dataset dataset = blocks_or_alternating(800);
  const std::vector<Split> splits{halves(800)};
  const Judge judge = judge_named("gin:1");
  EXPECT_EQ(judge.name, "gin:1");
  const Scores scores = judge.study(dataset)(splits);
  ASSERT_EQ(scores.size(), 1);
  ASSERT_EQ(scores[0].size(), splits[0].test.size());
  EXPECT_GT(judged_right(dataset, splits, scores), 0.95);
  EXPECT_EQ(judge_named("gin:1", 2).study(dataset)(splits), scores) << "with two threads";
}

TEST(Judge, OneThatSeesNoNeighboursIsAtChanceThere) {
  const Dataset dataset = blocks_or_alternating(800);
  const std::vector<Split> splits{halves(800)};
  EXPECT_NEAR(judged_right(dataset, splits, judge_named("wl:0").study(dataset)(splits)), 0.5, 0.1);
}

TEST(Judge, OnlyFlatModelsAndCountsJudge) {
  for (const char* name : {"hgnet-edgepool:3", "gin", "gin:0", "wl", ""})
    EXPECT_THAT(error_of<Error>([&] { judge_named(name); }), HasSubstr("expected wl:ROUNDS"))
        << name;
}

}  // namespace
}  // namespace hgnet
