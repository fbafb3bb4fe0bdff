#include "hgnet/train/comparison.hpp"

#include <gmock/gmock.h>

#include "hgnet/records/paired_tests.hpp"
#include "hgnet/records/spread.hpp"
#include "support/errors.hpp"
#include "train/path_run.hpp"

namespace hgnet {
namespace {

namespace fs = std::filesystem;
using test::error_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ComparedRun run_of(const std::string& data, std::map<std::int64_t, double> by_sample) {
  ComparedRun run;
  run.data = data;
  run.by_sample = std::move(by_sample);
  return run;
}

TEST(CompareSamples, CountsTheSamplesOfBothByHand) {
  const ComparedRun first = run_of("d", {{0, 1}, {1, 0}, {2, 0.5}, {4, 1}, {7, 1}});
  const ComparedRun second = run_of("d", {{0, 0}, {1, 1}, {2, 1}, {3, 1}, {4, 1}});
  const PairedSamples result = compare_samples(first, second);
  EXPECT_TRUE(result.same_data);
  EXPECT_EQ(result.samples, 4);
  EXPECT_EQ(result.better, 2);
  EXPECT_EQ(result.worse, 1);
  EXPECT_DOUBLE_EQ(result.mean_difference, 0.125);
  EXPECT_DOUBLE_EQ(result.sign_test_p, 1);
  EXPECT_DOUBLE_EQ(result.t_test_p, paired_t(std::vector<double>{-1, 1, 0.5, 0}).p);
}

TEST(CompareSamples, OtherDataIsNotCompared) {
  const PairedSamples result = compare_samples(run_of("a", {{0, 1}}), run_of("b", {{0, 0}}));
  EXPECT_FALSE(result.same_data);
  EXPECT_EQ(result.samples, 0);
}

TEST(CompareSamples, WithoutACommonSampleThereIsNothingToTest) {
  const PairedSamples result = compare_samples(run_of("d", {{0, 1}}), run_of("d", {{1, 1}}));
  EXPECT_TRUE(result.same_data);
  EXPECT_EQ(result.samples, 0);
  EXPECT_EQ(result.t_test_p, 1);
}

class CompareRunsTest : public test::PathRunTest {
 protected:
  RunComparison compare(const std::vector<std::string>& names) const {
    std::vector<fs::path> folders;
    for (const std::string& name : names) folders.push_back(folder.path() / name);
    return compare_runs(folders);
  }
};

TEST_F(CompareRunsTest, SampleScoresMakeTheScoresOfTheFits) {
  for (const int fold : {0, 1}) {
    train("gcn/fold-" + std::to_string(fold), "gcn", fold);
    train("gin/fold-" + std::to_string(fold), "gin", fold);
  }
  const RunComparison result = compare({"gcn", "gin"});
  ASSERT_EQ(result.runs.size(), 2U);
  for (const ComparedRun& run : result.runs) {
    EXPECT_EQ(run.metric, "accuracy");
    EXPECT_EQ(run.baselines().size(), 2U);
    double right = 0;
    for (const auto& [sample, score] : run.by_sample) right += score;
    EXPECT_EQ(run.by_sample.size(), 12U);
    EXPECT_DOUBLE_EQ(right / 12, summary_of(run.scores()).mean) << run.folder;
  }
  EXPECT_THAT(result.settings.at("model"), ElementsAre("\"gcn\"", "\"gin\""));
  EXPECT_EQ(result.settings.count("fold"), 0U) << "both have folds 0 and 1";
  ASSERT_EQ(result.pairs.size(), 1U);
  EXPECT_EQ(result.pairs[0].samples, 12);
}

TEST_F(CompareRunsTest, ASettingHasTheValuesOfAllFits) {
  train("one", "gcn", 0);
  train("two/fold-0", "gcn", 0);
  train("two/fold-1", "gcn", 1);
  const RunComparison result = compare({"one", "two"});
  EXPECT_THAT(result.settings.at("fold"), ElementsAre("0", "0 1"));
  EXPECT_EQ(result.settings.count("model"), 0U);
  EXPECT_EQ(result.pairs[0].samples, 6);
  EXPECT_EQ(result.pairs[0].better + result.pairs[0].worse, 0) << "the same fit on fold 0";
  EXPECT_THAT(compare({"one", "one"}).settings, IsEmpty());
}

TEST_F(CompareRunsTest, FitsOfDifferentModelsHaveNoMean) {
  train("both/gcn", "gcn", 0);
  train("both/gin", "gin", 0);
  EXPECT_THAT(error_of<NoMean>([&] { compare({"both"}); }),
              HasSubstr("both holds fits that have no mean (model"));
}

}  // namespace
}  // namespace hgnet
