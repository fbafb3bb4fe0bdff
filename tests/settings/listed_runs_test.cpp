#include "hgnet/settings/listed_runs.hpp"

#include <gmock/gmock.h>

#include "hgnet/settings/fit_folder.hpp"
#include "hgnet/settings/protocol.hpp"
#include "hgnet/settings/search.hpp"
#include "support/files.hpp"

namespace hgnet {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TrainConfig config_of(const std::string& model) {
  TrainConfig config;
  config.dataset = "sets/cora";
  config.model = model;
  config.metric = "accuracy";
  return config;
}

class ListedRunsTest : public ::testing::Test {
 protected:
  FitFolder begin(const std::string& name, const TrainConfig& config) const {
    return FitFolder::create(folder.path() / name, config, {});
  }

  void finish(const FitFolder& fit, double score) const {
    FitRecord record;
    record.dataset = "cora";
    record.model = fit.config().model;
    record.metric = "accuracy";
    record.metrics["test"]["accuracy"] = score;
    record.baseline["test"]["accuracy"] = score / 2;
    record.seconds["total"] = 3;
    fit.write_result(record);
  }

  std::vector<ListedRun> list() const { return list_runs(folder.path()); }

  test::TemporaryFolder folder;
};

TEST_F(ListedRunsTest, AFitAloneIsARun) {
  finish(begin("a", config_of("gcn")), 0.5);
  begin("b", config_of("gin"));
  const std::vector<ListedRun> runs = list();
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].folder, folder.path() / "a");
  EXPECT_EQ(runs[0].state, RunState::kDone);
  EXPECT_EQ(runs[0].done, 1U);
  EXPECT_EQ(runs[0].fits, 1U);
  EXPECT_EQ(runs[0].dataset, "cora");
  EXPECT_EQ(runs[0].metric, "accuracy");
  EXPECT_THAT(runs[0].scores, ElementsAre(0.5));
  EXPECT_THAT(runs[0].baselines, ElementsAre(0.25));
  EXPECT_EQ(runs[0].seconds, 3);
  EXPECT_EQ(runs[1].state, RunState::kStopped);
  EXPECT_EQ(runs[1].model, "gin");
  EXPECT_THAT(runs[1].scores, IsEmpty());
}

TEST_F(ListedRunsTest, APlanCountsItsFitsModelByModel) {
  Protocol protocol;
  protocol.configs = {config_of("gin"), config_of("gcn")};
  protocol.seeds = {0};
  protocol.folds = {0, 1};
  folder.write("deep/run/plan.json", protocol.to_json());
  const std::vector<PlannedFit> fits = protocol.fits(folder.path() / "deep" / "run");
  ASSERT_EQ(fits.size(), 4U);
  for (std::size_t i = 0; i < 3; ++i)
    finish(FitFolder::create(fits[i].folder, fits[i].config, {}), 0.25 * static_cast<double>(i));
  const std::vector<ListedRun> runs = list();
  ASSERT_EQ(runs.size(), 2U) << "the folders inside are not runs";
  EXPECT_EQ(runs[0].model, "gcn");
  EXPECT_EQ(runs[0].state, RunState::kStopped);
  EXPECT_EQ(runs[0].done, 1U);
  EXPECT_EQ(runs[0].fits, 2U);
  EXPECT_THAT(runs[0].scores, ElementsAre(0.25));
  EXPECT_EQ(runs[1].model, "gin");
  EXPECT_EQ(runs[1].state, RunState::kDone);
  EXPECT_THAT(runs[1].scores, ElementsAre(0, 0.5));
  EXPECT_EQ(runs[1].seconds, 6);
}

TEST_F(ListedRunsTest, ALockedFitIsRunning) {
  begin("a", config_of("gcn"));
  const auto lock = FitFolder::lock(folder.path() / "a");
  EXPECT_EQ(list().at(0).state, RunState::kRunning);
}

TEST_F(ListedRunsTest, ABrokenRunSaysWhyAndHidesNoOther) {
  folder.write("a/plan.json", "{");
  begin("b", config_of("gcn"));
  const std::vector<ListedRun> runs = list();
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].state, RunState::kBroken);
  EXPECT_THAT(runs[0].error, HasSubstr((folder.path() / "a").string()));
  EXPECT_EQ(runs[1].state, RunState::kStopped);
}

TEST_F(ListedRunsTest, ASearchHasTheScoresOfItsChoice) {
  Search search;
  for (const char* model : {"gcn", "gin", "gcn"})
    search.trials.push_back({{{"model", model}}, config_of(model)});
  search.folds = {-1};
  search.rounds = {{5, 1}};
  folder.write("search/tune.json", search.to_json());
  EXPECT_EQ(list().at(0).model, "gcn,gin");
  EXPECT_EQ(list().at(0).state, RunState::kStopped);
  EXPECT_EQ(list().at(0).fits, 3U);

  for (std::size_t i = 0; i < 3; ++i)
    finish(FitFolder::create(search.folder_of(i, -1, folder.path() / "search"),
                             search.trials[i].config, {}),
           0.5);
  search.scores = {{0, 0, -1, 0.6, 0.9}, {0, 1, -1, 0.8, 0.7}, {0, 2, -1, 0.7, 0.8}};
  folder.write("search/tune.json", search.to_json());
  const std::vector<ListedRun> runs = list();
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].state, RunState::kDone);
  EXPECT_EQ(runs[0].model, "gin");
  EXPECT_EQ(runs[0].done, 3U);
  EXPECT_THAT(runs[0].scores, ElementsAre(DoubleEq(0.7)));
  EXPECT_THAT(runs[0].baselines, ElementsAre(0.25));
}

}  // namespace
}  // namespace hgnet
