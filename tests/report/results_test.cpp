#include "hgnet/report/results.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "hgnet/report/paper.hpp"
#include "support/sample_records.hpp"

namespace hgnet {
namespace {

using test::sample_run;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Records with_runs(std::vector<FitRecord> runs) { return {std::move(runs), {}, {}}; }

TEST(Summary, HasTheSampleStandardDeviation) {
  const Summary summary =
      summary_of({2, 4, 4, 4, 5, 5, 7, 9});  // sum of squares about the mean is 32
  EXPECT_EQ(summary.count, 8);
  EXPECT_DOUBLE_EQ(summary.mean, 5);
  EXPECT_DOUBLE_EQ(summary.deviation, std::sqrt(32.0 / 7));
  EXPECT_EQ(summary_of({3}).deviation, 0);
  EXPECT_EQ(summary_of({}).count, 0);
  EXPECT_EQ(summary_of({1, NAN, 3}).count, 2);
  EXPECT_EQ(summary_of({1, NAN, 3}).mean, 2);
}

TEST(Results, GroupsRunsThatDifferInSeedAndFold) {
  const Results results(
      with_runs({sample_run("Cora", "gcn", 2, 0.8, 1), sample_run("cora", "gcn", 2, 0.9, 0),
                 sample_run("cora", "gcn", 3, 0.7), sample_run("cora", "gat", 2, 0.6)}));
  ASSERT_EQ(results.groups().size(), 3U);
  const RunGroup* group = results.select("table1", "cora", "public", "gcn").at(0);
  ASSERT_EQ(group->runs.size(), 2U);
  EXPECT_EQ(group->runs[0]->seed, 0U);
  EXPECT_DOUBLE_EQ(group->test.mean, 0.85);
  EXPECT_EQ(results.select("table1", "cora", "", "gcn").size(), 1U);
  EXPECT_EQ(results.select("", "cora", "", "gcn").size(), 1U);  // three layers are not the paper's
  EXPECT_TRUE(results.select("table1", "cora", "", "gin").empty());
}

TEST(Results, TheLastRunOfASeedAndFoldCountsAndCopiesDoNot) {
  const FitRecord run = sample_run("cora", "gcn", 2, 0.8);
  const Results copies(with_runs({run, run}));
  EXPECT_EQ(copies.groups()[0].test.count, 1);
  EXPECT_THAT(copies.notes(), ElementsAre(HasSubstr("name no table")));
  const Results rerun(with_runs({run, sample_run("cora", "gcn", 2, 0.9)}));
  EXPECT_DOUBLE_EQ(rerun.groups()[0].test.mean, 0.9);
  EXPECT_THAT(rerun.notes(), testing::Contains(HasSubstr("1 runs were replaced")));
}

TEST(Results, RunsThatWereNotMadeForATableStandBesideThoseThatWere) {
  FitRecord named = sample_run("cora", "gcn", 2, 0.8);
  named.table = "table1";
  FitRecord other = sample_run("cora", "gcn", 2, 0.2, 1);
  other.config["lr"] = "10";
  const Results results(with_runs({other, named}));
  EXPECT_DOUBLE_EQ(results.select("table1", "cora").at(0)->test.mean, 0.8);
  EXPECT_DOUBLE_EQ(results.select("", "cora").at(0)->test.mean, 0.2);
  EXPECT_THAT(results.notes(), ElementsAre(HasSubstr("stand among other runs")));
}

TEST(Results, ShortenedRunsAreGroupsOfTheirOwn) {
  FitRecord full = sample_run("cora", "gcn", 2, 0.8);
  full.config["epochs"] = "200";
  full.epochs = 37;  // stopped by itself
  FitRecord shortened = sample_run("cora", "gcn", 2, 0.5, 1);
  shortened.epochs = 40;
  const Results results(with_runs({full, shortened}));
  ASSERT_EQ(results.groups().size(), 2U);
  EXPECT_FALSE(results.groups()[0].key.reduced());
  EXPECT_EQ(training_text(results.groups()[0].key), "");
  EXPECT_TRUE(results.groups()[1].key.reduced());
  EXPECT_EQ(training_text(results.groups()[1].key), "40 epochs");
}

TEST(Results, NotesRunsOfAGroupThatDifferInAnOption) {
  FitRecord other = sample_run("cora", "gcn", 2, 0.8, 1);
  other.table = "table1";
  other.config["lr"] = "0.1";
  FitRecord first = sample_run("cora", "gcn", 2, 0.8, 0);
  first.table = "table1";
  first.config["seed"] = "0";
  EXPECT_THAT(Results(with_runs({first, other})).notes(), ElementsAre(HasSubstr("differ in 'lr'")));
  other.config = first.config;
  other.config["seed"] = "1";
  EXPECT_THAT(Results(with_runs({first, other})).notes(), IsEmpty());
  other.config["dropout"] = "0.5";  // in one of them only
  EXPECT_THAT(Results(with_runs({first, other})).notes(),
              ElementsAre(HasSubstr("differ in 'dropout'")));
}

TEST(Results, CountsRunsWithoutAScore) {
  FitRecord broken = sample_run("cora", "gcn", 2, NAN, 1);
  const Results results(with_runs({sample_run("cora", "gcn", 2, 0.8), broken}));
  EXPECT_EQ(results.groups()[0].test.count, 1);
  EXPECT_EQ(results.groups()[0].failed, 1);
  EXPECT_THAT(results.notes(), testing::Contains(HasSubstr("1 runs have no test score")));
}

TEST(Results, PlacesRunsByDataSetAndSplit) {
  const auto table = [](const std::string& dataset, const std::string& split) {
    FitRecord run = sample_run(dataset, "gcn", 2, 0.5);
    run.split = split;
    return table_of(run);
  };
  EXPECT_EQ(table("PubMed", "public"), "table1");
  EXPECT_EQ(table("PubMed", "sanitized:2"), "table2");
  EXPECT_EQ(table("D&D", "folds:10"), "table1");
  EXPECT_EQ(table("OGBG-molhiv", "scaffold"), "table3");
  EXPECT_EQ(table("cc-euroroad", "folds:10"), "table4");
  EXPECT_EQ(table("ogbg-molbace", "scaffold"), "");
  EXPECT_EQ(table("ENZYMES", "sanitized:1"), "");
  EXPECT_EQ(table("ENZYMES", "folds.json"), "");
  EXPECT_EQ(table("Cora", "random:0.8,0.1,0.1"), "");
  EXPECT_EQ(table("Cora", "sanitized:3"), "");
  FitRecord named = sample_run("cora", "gcn", 2, 0.5);
  named.table = "ablation";
  EXPECT_EQ(table_of(named), "ablation");
}

TEST(Compare, PairsSeedsAndFoldsThatBothHave) {
  std::vector<FitRecord> runs;
  const double a[] = {0.80, 0.82, 0.84, 0.86};
  const double b[] = {0.78, 0.80, 0.85};
  for (int f = 0; f < 4; ++f) runs.push_back(sample_run("DD", "gcn", 2, a[f], 0, f));
  for (int f = 0; f < 3; ++f) runs.push_back(sample_run("DD", "gin", 2, b[f], 0, f));
  const Results results(with_runs(runs));
  const RunGroup& gcn = *results.select("table1", "DD", "", "gcn")[0];
  const RunGroup& gin = *results.select("table1", "DD", "", "gin")[0];
  const std::vector<const RunGroup*> both = {&gcn, &gin};
  const std::vector<RunPlace> places = common_places(both);
  ASSERT_EQ(places.size(), 3U);
  const Comparison comparison = compare(test_scores(gcn, places), test_scores(gin, places));
  EXPECT_EQ(comparison.pairs, 3);
  EXPECT_NEAR(comparison.difference, 0.01, 1e-12);
  // The differences 0.02 and 0.02 tie though their last bits differ: ranks 2.5, 2.5, 1.
  EXPECT_EQ(comparison.wilcoxon.statistic, 1);
}

TEST(Compare, RunsOfOtherSplitSeedsAreNoPairs) {
  FitRecord a = sample_run("DD", "gcn", 2, 0.8, 0, 0);
  FitRecord b = sample_run("DD", "gin", 2, 0.7, 0, 0);
  b.config["split-seed"] = "1";
  const Results results(with_runs({a, b}));
  const std::vector<const RunGroup*> both = {&results.groups()[0], &results.groups()[1]};
  EXPECT_TRUE(common_places(both).empty());
}

}  // namespace
}  // namespace hgnet
