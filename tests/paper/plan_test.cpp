#include "hgnet/paper/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "support/errors.hpp"

namespace hgnet {
namespace {

using test::error_of;
using testing::HasSubstr;

PaperPlanOptions options_for(std::vector<std::string> tables) {
  PaperPlanOptions options;
  options.tables = std::move(tables);
  options.out = "out";
  return options;
}

TEST(PaperPlan, HasAllFitsOfTheTablesInFoldersOfTheirOwn) {
  EXPECT_EQ(plan_tables(options_for({"table1"})).size(), 10U * 10 * 10);
  EXPECT_EQ(plan_tables(options_for({"table2"})).size(), 3U * 2 * 8 * 3 * 3);
  EXPECT_EQ(plan_tables(options_for({"table3"})).size(), 2U * (4 + 2 * 3) * 10);
  EXPECT_EQ(plan_tables(options_for({"table4"})).size(), 4U * (10 * 10 + 5 * 2 + 2 * 3));
  EXPECT_EQ(plan_tables(options_for({"range"})).size(), 6U * (5 + 31 + 1) + 4 * 31);
  std::set<std::filesystem::path> folders;
  const std::vector<PlannedFit> all = plan_tables(options_for({}));
  for (const PlannedFit& fit : all) folders.insert(fit.folder);
  EXPECT_EQ(folders.size(), all.size());
}

TEST(PaperPlan, CanBeNarrowedAcrossTables) {
  PaperPlanOptions options = options_for({});
  options.datasets = {"cora"};
  options.models = {"gat"};
  options.folds = {0};
  std::vector<std::string> labels;
  for (const PlannedFit& fit : plan_tables(options)) labels.push_back(fit.table + ": " + fit.label);
  EXPECT_THAT(labels,
              testing::ElementsAre(
                  "table1: cora gat-2 seed-0", "table2: cora sanitized:1 gat-1 seed-0",
                  "table2: cora sanitized:1 gat-2 seed-0", "table2: cora sanitized:1 gat-3 seed-0",
                  "table2: cora sanitized:2 gat-1 seed-0", "table2: cora sanitized:2 gat-2 seed-0",
                  "table2: cora sanitized:2 gat-3 seed-0"));
}

TEST(PaperPlan, OtherDepthsOfTableFourComeAfterAllModelsOfTheFirstFold) {
  PaperPlanOptions options = options_for({"table4"});
  options.datasets = {"cc-grid16"};
  const std::vector<PlannedFit> fits = plan_tables(options);
  const auto name = [&](std::size_t i) {
    return fits.at(i).label.substr(std::string("cc-grid16 ").size());
  };
  EXPECT_EQ(name(0), "gcn-4 fold-0");
  EXPECT_EQ(name(5), "g-unet-3 fold-0");
  EXPECT_EQ(name(7), "hgnet-louvain-3 fold-0");
  EXPECT_EQ(name(8), "gcn-3 fold-0");
  EXPECT_EQ(name(18), "hgnet-edgepool-4 fold-0");
  EXPECT_EQ(name(23), "hgnet-louvain-6 fold-0");
  EXPECT_EQ(name(24), "wl-2 fold-0");
  EXPECT_EQ(name(26), "gcn-4 fold-1");
  EXPECT_EQ(fits.size(), 26U + 9 * 10);
}

TEST(PaperPlan, RangeHasAllDepthsOfTheFigureOverHopsCheapOnesFirst) {
  PaperPlanOptions options = options_for({"range"});
  options.datasets = {"cc-crossing32:4", "cc-grid16"};
  std::vector<std::string> names;
  for (const PlannedFit& fit : plan_tables(options)) {
    EXPECT_EQ(fit.config.fold, 0);
    const bool paper = fit.config.dataset == "cc-grid16";
    EXPECT_EQ(fit.table, paper ? "table4" : "range");
    EXPECT_EQ(fit.config.epochs, paper ? 200 : 100);
    names.push_back(fit.label.substr(fit.label.find(' ') + 1));
  }
  const auto expect = [&](std::size_t first, const std::vector<std::string>& expected) {
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_EQ(names.at(first + i), expected[i] + " fold-0") << first + i;
  };
  expect(0, {"gcn-4", "gcn-vn-4", "gat-4", "cheb-4", "gin-4", "g-unet-3", "hgnet-edgepool-3",
             "hgnet-louvain-3", "wl-2", "wl-0", "wl-1", "wl-3", "wl-4", "wl-5", "wl-6", "mlp-2",
             "gin-1", "gin-2", "hgnet-edgepool-1"});
  expect(34, {"gin-8", "gin-12", "gin-16", "gin-4", "hgnet-edgepool-3"});
  EXPECT_EQ(names.size(), 37U + 31);
  options.tables = {"table4", "range"};
  options.datasets = {"cc-grid16"};
  EXPECT_EQ(plan_tables(options).size(), 26U + 9 * 10 + 5 + 8 + 6) << "what is in both comes once";
}

TEST(PaperPlan, AsRunHasTheFitsInWhichReadingsDiffer) {
  const auto as_run = [](const char* table) {
    PaperPlanOptions options = options_for({table});
    options.reading = Reading::kAsRun;
    return plan_tables(options);
  };
  // GCN+VN and HGNet-EdgePool have a reading of their own from two layers or levels on.
  EXPECT_EQ(as_run("table1").size(), 3U * 2 * 10 + 7 * 2 * 10);
  EXPECT_EQ(as_run("table2").size(), 3U * 3 * (8 * 3 + 2 + 2 + 3));
  EXPECT_EQ(as_run("table3").size(), 2U * 2 * 3 * 10);
  const std::vector<PlannedFit> fits = as_run("table4");
  EXPECT_EQ(fits.size() + 4 * 2 * 10, plan_tables(options_for({"table4"})).size())
      << "all but the yardsticks";
  EXPECT_EQ(fits[0].config.dataset, "cc-grid16:fixed-starts");
  EXPECT_EQ(fits[0].config.network.classifier_hidden, 32);
  EXPECT_EQ(fits[0].folder, "out/table4/as-run/cc-grid16/folds-10/gcn-4/fold-0");
}

TEST(PaperPlan, EqualNormsAreThoseThatTableOneDoesNotHave) {
  const std::vector<PlannedFit> batch = plan_tables(options_for({"tu-batch-norm"}));
  EXPECT_EQ(batch.size(), 7U * 6 * 3);
  for (const PlannedFit& fit : batch) {
    EXPECT_EQ(fit.config.network.norm, Norm::kBatch);
    EXPECT_FALSE(fit.config.model.starts_with("hgnet"));
    EXPECT_EQ(fit.table, "tu-batch-norm");
  }
  const std::vector<PlannedFit> none = plan_tables(options_for({"tu-no-norm"}));
  EXPECT_EQ(none.size(), 7U * 2 * 3);
  for (const PlannedFit& fit : none) EXPECT_EQ(fit.config.network.norm, Norm::kNone);
  for (const PlannedFit& fit : plan_tables(options_for({})))
    EXPECT_TRUE(fit.table.starts_with("table")) << "the paper's are all there are without asking";
}

TEST(PaperPlan, SaysWhereReadingsDoNotDiffer) {
  PaperPlanOptions options = options_for({"table1"});
  options.reading = Reading::kAsRun;
  options.models = {"gcn"};
  EXPECT_THAT(error_of<NotInPaper>([&] { plan_tables(options); }),
              HasSubstr("reading as-run has no effect on these fits of table1"));
}

TEST(PaperPlan, OtherEpochsAndQuickRunsHaveOtherFolders) {
  PaperPlanOptions options = options_for({"table1"});
  options.datasets = {"cora"};
  options.models = {"gcn"};
  options.folds = {0};
  const auto folder = [&] { return plan_tables(options).at(0).folder.filename().string(); };
  EXPECT_EQ(folder(), "seed-0");
  options.epochs = 200;  // the paper's
  EXPECT_EQ(folder(), "seed-0");
  options.epochs = 40;
  EXPECT_EQ(folder(), "seed-0-epochs-40");
  EXPECT_EQ(plan_tables(options).at(0).config.epochs, 40);
  options.quick = true;
  EXPECT_EQ(folder(), "seed-0-quick-epochs-40");
  options.epochs.reset();
  EXPECT_EQ(folder(), "seed-0-quick");
}

TEST(PaperPlan, NamesWhatThereIsNot) {
  const auto error = [](const auto& change) {
    PaperPlanOptions options = options_for({"table1"});
    change(options);
    return error_of<NotInPaper>([&] { plan_tables(options); });
  };
  EXPECT_THAT(error([](auto& o) { o.tables = {"table5"}; }), HasSubstr("table5"));
  EXPECT_THAT(error([](auto& o) { o.datasets = {"cra"}; }), HasSubstr("did you mean cora?"));
  EXPECT_THAT(error([](auto& o) { o.models = {"gcnn"}; }), HasSubstr("did you mean gcn?"));
  EXPECT_THAT(error([](auto& o) {
                o.folds = {0, 99};
              }),
              HasSubstr("no fold or seed 99 of table1; available: 0, 1, 2"));
  EXPECT_THAT(error([](auto& o) { o.depths = {9}; }), HasSubstr("no depth 9 of table1"));
  EXPECT_THAT(error([](auto& o) {
                o.models = {"gcn"};
                o.depths = {4};
              }),
              HasSubstr("no fit of table1 matches all"));
}

}  // namespace
}  // namespace hgnet
