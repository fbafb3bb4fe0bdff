#include "hgnet/records/run_summary.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace hgnet {
namespace {

using testing::ElementsAre;

FitRecord fit_of(std::uint64_t seed, double accuracy) {
  FitRecord record;
  record.dataset = "d";
  record.model = "gcn";
  record.seed = seed;
  record.metric = "accuracy";
  record.metrics["test"]["accuracy"] = accuracy;
  record.seconds["total"] = 1;
  return record;
}

nlohmann::json parsed(const std::vector<RunSummary>& models, const std::string& folder = {}) {
  return nlohmann::json::parse(to_json(models, folder));
}

TEST(RunSummary, HasMeanAndSampleDeviation) {
  const RunSummary summary{"gcn", 4, 1, {fit_of(0, 0.5), fit_of(1, 0.7), fit_of(2, 0.9)}};
  EXPECT_THAT(summary.values("test", "accuracy"), ElementsAre(0.5, 0.7, 0.9));
  const auto json = parsed({summary}, "runs/a");
  const auto& accuracy = json.at("metrics").at("test").at("accuracy");
  EXPECT_DOUBLE_EQ(accuracy.at("mean"), 0.7);
  EXPECT_NEAR(accuracy.at("std"), 0.2, 1e-12);
  EXPECT_EQ(accuracy.at("values").size(), 3);
  EXPECT_EQ(json.at("model"), "gcn");
  EXPECT_EQ(json.at("dataset"), "d");
  EXPECT_EQ(json.at("planned"), 4);
  EXPECT_EQ(json.at("done"), 3);
  EXPECT_EQ(json.at("failed"), 1);
  EXPECT_EQ(json.at("fits")[2].at("seed"), 2);
  EXPECT_EQ(json.at("folder"), "runs/a");
}

TEST(RunSummary, AScoreThatIsNaNIsNullAndNotCounted) {
  const RunSummary summary{"gcn", 2, 0, {fit_of(0, 0.5), fit_of(1, NAN)}};
  const auto json = parsed({summary});
  const auto& accuracy = json.at("metrics").at("test").at("accuracy");
  EXPECT_DOUBLE_EQ(accuracy.at("mean"), 0.5);
  EXPECT_TRUE(accuracy.at("values")[1].is_null());
}

TEST(RunSummary, WhatDoesNotExistIsNull) {
  const auto one = parsed({{"gcn", 1, 0, {fit_of(0, 0.5)}}});
  EXPECT_TRUE(one.at("metrics").at("test").at("accuracy").at("std").is_null());
  EXPECT_TRUE(one.at("fits")[0].at("fold").is_null());
  const auto none = parsed({{"gcn", 1, 0, {fit_of(0, NAN)}}});
  EXPECT_TRUE(none.at("metrics").at("test").at("accuracy").at("mean").is_null());
}

TEST(RunSummary, SeveralModelsStandSideBySide) {
  const auto json = parsed({{"gcn", 1, 0, {fit_of(0, 0.5)}}, {"gin", 1, 1, {}}}, "runs/a");
  ASSERT_EQ(json.at("models").size(), 2);
  EXPECT_EQ(json.at("models")[1].at("model"), "gin");
  EXPECT_EQ(json.at("models")[1].at("done"), 0);
  EXPECT_EQ(json.at("folder"), "runs/a");
}

TEST(RunSummary, ASingleFitIsItsRecordWithTheFolderAndWithoutCurves) {
  FitRecord fit = fit_of(3, 0.5);
  fit.curve["loss"] = {2, 1};
  const FitRecord read = parse_fit_record(to_json(fit, "runs/a"), "text");
  EXPECT_EQ(read.other.at("folder").plain_text(), "runs/a");
  EXPECT_TRUE(read.curve.empty());
  EXPECT_EQ(read.seed, 3);
  EXPECT_DOUBLE_EQ(read.score("test"), 0.5);
}

}  // namespace
}  // namespace hgnet
