#include "hgnet/report/results.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "hgnet/paper/catalogue.hpp"
#include "hgnet/records/metrics.hpp"
#include "support/sample_records.hpp"

namespace hgnet {
namespace {

using test::sample_fit;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Results results_of(std::vector<FitRecord> fits) { return paper_results({std::move(fits), {}, {}}); }

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

TEST(Results, GroupsFitsThatDifferInSeedAndFold) {
  const Results results =
      results_of({sample_fit("Cora", "gcn", 2, 0.8, 1), sample_fit("cora", "gcn", 2, 0.9, 0),
                  sample_fit("cora", "gcn", 3, 0.7), sample_fit("cora", "gat", 2, 0.6)});
  ASSERT_EQ(results.groups().size(), 3U);
  const FitGroup* group = results.select("table1", "cora", "public", "gcn").at(0);
  ASSERT_EQ(group->fits.size(), 2U);
  EXPECT_EQ(group->fits[0]->seed, 0U);
  EXPECT_DOUBLE_EQ(group->test.mean, 0.85);
  EXPECT_EQ(results.select("table1", "cora", "", "gcn").size(), 1U);
  EXPECT_EQ(results.select("", "cora", "", "gcn").size(), 1U);  // three layers are not the paper's
  EXPECT_TRUE(results.select("table1", "cora", "", "gin").empty());
}

TEST(Results, TheLastFitOfASeedAndFoldCountsAndCopiesDoNot) {
  const FitRecord fit = sample_fit("cora", "gcn", 2, 0.8);
  const Results copies = results_of({fit, fit});
  EXPECT_EQ(copies.groups()[0].test.count, 1);
  EXPECT_THAT(copies.notes(), ElementsAre(HasSubstr("name no table")));
  const Results rerun = results_of({fit, sample_fit("cora", "gcn", 2, 0.9)});
  EXPECT_DOUBLE_EQ(rerun.groups()[0].test.mean, 0.9);
  EXPECT_THAT(rerun.notes(), testing::Contains(HasSubstr("1 fit replaced")));
}

TEST(Results, ShortenedFitsAreGroupsOfTheirOwn) {
  FitRecord full = sample_fit("cora", "gcn", 2, 0.8);
  full.config["epochs"] = JsonValue::parsed("200");
  full.epochs = 37;  // stopped early
  FitRecord shortened = sample_fit("cora", "gcn", 2, 0.5, 1);
  shortened.epochs = 40;
  const Results results = results_of({full, shortened});
  ASSERT_EQ(results.groups().size(), 2U);
  EXPECT_FALSE(results.groups()[0].key.reduced());
  EXPECT_EQ(training_text(results.groups()[0].key), "");
  EXPECT_TRUE(results.groups()[1].key.reduced());
  EXPECT_EQ(training_text(results.groups()[1].key), "40 epochs");
}

TEST(Results, NotesFitsOfAGroupThatDifferInAnOption) {
  FitRecord other = sample_fit("mine", "gcn", 2, 0.8, 1);
  other.config["lr"] = JsonValue::parsed("0.1");
  FitRecord first = sample_fit("mine", "gcn", 2, 0.8, 0);
  first.config["seed"] = JsonValue::parsed("0");
  first.config["lr"] = JsonValue::parsed("0.005");
  first.table = other.table = "table1";
  EXPECT_THAT(results_of({first, other}).notes(), ElementsAre(HasSubstr("differ in 'lr'")));
  other.config = first.config;
  other.config["seed"] = JsonValue::parsed("1");
  EXPECT_THAT(results_of({first, other}).notes(), IsEmpty());
  other.config["dropout"] = JsonValue::parsed("0.5");  // in one of them only
  EXPECT_THAT(results_of({first, other}).notes(), ElementsAre(HasSubstr("differ in 'dropout'")));
}

TEST(Results, SettingsThatDifferAreGroupsOfTheirOwn) {
  std::vector<FitRecord> fits;
  for (const char* lr : {"0.1", "0.005"}) {
    for (const std::uint64_t seed : {0, 1}) {
      FitRecord& fit = fits.emplace_back(sample_fit("mine", "gcn", 2, 0.8, seed));
      fit.config["lr"] = JsonValue::parsed(lr);
      fit.config["seed"] = JsonValue::parsed(std::to_string(seed));
      fit.config["readout"] = JsonValue::parsed("\"mean\"");
    }
  }
  fits.front().config.erase("readout");  // as an older record: it tells nothing
  const Results results = results_of(fits);
  ASSERT_EQ(results.groups().size(), 2U);
  EXPECT_EQ(results.groups()[0].key.variant, "lr 0.005");
  EXPECT_EQ(results.groups()[0].label, "GCN, 2 layers (lr 0.005)");
  EXPECT_EQ(results.groups()[0].test.count, 2);
  EXPECT_EQ(results.groups()[1].key.variant, "lr 0.1");
  const std::vector<ResultTable> tables = result_tables(results);
  ASSERT_EQ(tables.back().rows.size(), 2U);
  EXPECT_EQ(tables.back().rows[1].label, "GCN (lr 0.1)");
}

TEST(Results, OnlyTheMostSeedsAndFoldsCanBeTheBest) {
  const Results results =
      results_of({sample_fit("mine", "gcn", 2, 0.8, 0), sample_fit("mine", "gcn", 2, 0.7, 1),
                  sample_fit("mine", "gat", 2, 0.7, 0), sample_fit("mine", "gat", 2, 0.6, 1),
                  sample_fit("mine", "gin", 2, 0.99, 0), sample_fit("mine", "cheb", 2, 0.98, 5),
                  sample_fit("mine", "cheb", 2, 0.98, 6)});
  const std::vector<ResultTable> tables = result_tables(results);
  const ResultTable& table = tables.back();
  std::string best;
  for (std::size_t r = 0; r < table.rows.size(); ++r)
    best += table.cells[r][0].best ? table.rows[r].model + " " : "";
  EXPECT_EQ(best, "gcn ");
}

TEST(Results, CountsFitsWithoutAScore) {
  FitRecord broken = sample_fit("cora", "gcn", 2, NAN, 1);
  const Results results = results_of({sample_fit("cora", "gcn", 2, 0.8), broken});
  EXPECT_EQ(results.groups()[0].test.count, 1);
  EXPECT_EQ(results.groups()[0].failed, 1);
  EXPECT_THAT(results.notes(), testing::Contains(HasSubstr("1 fit without a test score")));
}

TEST(CommonPlaces, AreTheSeedsAndFoldsThatBothHave) {
  std::vector<FitRecord> fits;
  const double a[] = {0.80, 0.82, 0.84, 0.86};
  const double b[] = {0.78, 0.80, 0.85};
  for (int f = 0; f < 4; ++f) fits.push_back(sample_fit("DD", "gcn", 2, a[f], 0, f));
  for (int f = 0; f < 3; ++f) fits.push_back(sample_fit("DD", "gin", 2, b[f], 0, f));
  const Results results = results_of(fits);
  const FitGroup& gcn = *results.select("table1", "DD", "", "gcn")[0];
  const FitGroup& gin = *results.select("table1", "DD", "", "gin")[0];
  const std::vector<const FitGroup*> both = {&gcn, &gin};
  const std::vector<FitPlace> places = common_places(both);
  ASSERT_EQ(places.size(), 3U);
  EXPECT_THAT(test_scores(gcn, places), ElementsAre(0.80, 0.82, 0.84));
  EXPECT_THAT(test_scores(gin, places), ElementsAre(0.78, 0.80, 0.85));
}

TEST(CommonPlaces, FitsOfOtherSplitSeedsAreNoPairs) {
  FitRecord a = sample_fit("DD", "gcn", 2, 0.8, 0, 0);
  FitRecord b = sample_fit("DD", "gin", 2, 0.7, 0, 0);
  b.config["split-seed"] = JsonValue::parsed("1");
  const Results results = results_of({a, b});
  const std::vector<const FitGroup*> both = {&results.groups()[0], &results.groups()[1]};
  EXPECT_TRUE(common_places(both).empty());
}

}  // namespace
}  // namespace hgnet
