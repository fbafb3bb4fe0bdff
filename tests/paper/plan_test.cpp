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
  EXPECT_EQ(plan_tables(options_for({"table1"})).size(), 10U * 8 * 10);
  EXPECT_EQ(plan_tables(options_for({"table2"})).size(), 3U * 2 * 8 * 3 * 3);
  EXPECT_EQ(plan_tables(options_for({"table3"})).size(), 2U * (4 + 2 * 3) * 10);
  EXPECT_EQ(plan_tables(options_for({"table4"})).size(), 4U * 8 * 3 * 10);
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
