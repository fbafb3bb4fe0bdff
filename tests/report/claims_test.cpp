#include "hgnet/report/claims.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "hgnet/graph/generators.hpp"
#include "support/sample_records.hpp"

namespace hgnet {
namespace {

using test::sample_run;
using testing::HasSubstr;

Results results_of(std::vector<FitRecord> runs) { return Results({std::move(runs), {}, {}}); }

/// Three seeds of a model, around a score.
void add(std::vector<FitRecord>& runs, const std::string& dataset, const std::string& split,
         const std::string& model, int depth, double score, bool quick = false, int seeds = 3) {
  for (int seed = 0; seed < seeds; ++seed) {
    FitRecord run = sample_run(dataset, model, depth, score + 0.001 * (seed - 1), seed);
    run.split = split;
    run.quick = quick;
    runs.push_back(run);
  }
}

const Claim& claim(const std::vector<Claim>& claims, int number) { return claims.at(number - 1); }

/// The sample with one change to its runs.
std::vector<Claim> claims_after(const std::function<void(FitRecord&)>& change) {
  Records records = test::sample_records();
  for (FitRecord& run : records.runs) change(run);
  const Results results(std::move(records));
  return check_result_claims(results);
}

void set_score(FitRecord& run, double score) {
  run.metrics["test"][run.metric] = score;
  run.metrics["val"][run.metric] = score;
}

TEST(Verdicts, CountPartsAgainstWhatIsNeeded) {
  const auto verdict = [](int holds, int fails, int unknown, std::size_t needed) {
    ClaimCheck check{"", "", {}, needed, false};
    for (int i = 0; i < holds; ++i) check.parts.push_back({"", Verdict::kHolds, "", {}, ""});
    for (int i = 0; i < fails; ++i) check.parts.push_back({"", Verdict::kFails, "", {}, ""});
    for (int i = 0; i < unknown; ++i)
      check.parts.push_back({"", Verdict::kNotEnoughRuns, "", {}, ""});
    return check.verdict();
  };
  EXPECT_EQ(verdict(3, 0, 0, 3), Verdict::kHolds);
  EXPECT_EQ(verdict(2, 1, 0, 3), Verdict::kFails);
  EXPECT_EQ(verdict(2, 0, 1, 3), Verdict::kNotEnoughRuns);
  EXPECT_EQ(verdict(4, 2, 1, 4), Verdict::kHolds);          // enough, whatever the last one gives
  EXPECT_EQ(verdict(3, 3, 1, 4), Verdict::kNotEnoughRuns);  // the last one decides
  EXPECT_EQ(verdict(2, 4, 1, 4), Verdict::kFails);          // out of reach
}

TEST(Claims, NothingIsKnownWithoutRuns) {
  const Results results = results_of({});
  const std::vector<Claim> claims = check_result_claims(results);
  ASSERT_EQ(claims.size(), 6U);
  for (const Claim& c : claims) {
    EXPECT_EQ(c.verdict(), Verdict::kNotEnoughRuns) << c.title;
    EXPECT_FALSE(c.reduced());
  }
}

TEST(Claims, TheSampleIsMadeToMeetTheFirstFour) {
  const std::vector<Claim> claims = claims_after([](FitRecord&) {});
  for (int number = 1; number <= 4; ++number)
    EXPECT_EQ(claim(claims, number).verdict(), Verdict::kHolds) << number;
  EXPECT_EQ(claim(claims, 6).verdict(),
            Verdict::kNotEnoughRuns);  // a model is missing on one graph
}

TEST(Claims, EachOfTheFirstThreeFallsWithItsNumbers) {
  using Change = std::function<void(FitRecord&)>;
  const auto when = [](const std::string& table, const std::string& model, int depth,
                       double score) -> Change {
    return [=](FitRecord& run) {
      if (run.table == table && run.model == model && run.depth() == depth) set_score(run, score);
    };
  };
  const auto fails = [](int number, std::size_t check, const Change& change) {
    const std::vector<Claim> claims = claims_after(change);
    EXPECT_EQ(claim(claims, number).verdict(), Verdict::kFails) << number;
    EXPECT_EQ(claim(claims, number).checks[check].verdict(), Verdict::kFails)
        << number << ", " << check;
  };
  fails(1, 0, when("table1", "g-unet", 4, 0.5));          // far from the HGNets
  fails(1, 1, when("table1", "hgnet-edgepool", 1, 0.9));  // ahead of the best flat model
  fails(1, 2, when("table1", "gin", 2, 0.9));             // not lower
  fails(2, 0, when("table2", "gcn", 1, 0.95));            // one layer does not drop
  fails(2, 1, when("table2", "g-unet", 1, 0.3));          // one level does not beat them
  fails(2, 2, when("table2", "gat", 2, 0.3));             // two layers do not recover
  fails(2, 3, when("table2", "hgnet-louvain", 2, 0.95));  // the second level brings a lot
  fails(3, 1, [](FitRecord& run) {                        // CiteSeer gains most
    if (run.dataset == "citeseer" && run.split == "sanitized:2" && run.depth() == 3)
      set_score(run, 0.99);
  });
}

TEST(Claims, GraphClaimsFallWithTheirNumbers) {
  const auto all = [](const std::string& table, const std::string& model, double score) {
    return claims_after([=](FitRecord& run) {
      if (run.table == table && run.model == model) set_score(run, score);
    });
  };
  EXPECT_EQ(claim(all("table1", "cheb", 0.99), 4).checks[0].verdict(), Verdict::kFails);
  EXPECT_EQ(claim(all("table1", "gcn-vn", 0.1), 4).checks[1].verdict(), Verdict::kFails);
  EXPECT_EQ(claim(all("table1", "g-unet", 0.99), 4).checks[2].verdict(), Verdict::kFails);
  EXPECT_EQ(claim(all("table4", "g-unet", 0.7), 6).checks[1].verdict(), Verdict::kFails);
  EXPECT_EQ(claim(all("table4", "gcn-vn", 0.9), 6).checks[2].verdict(), Verdict::kFails);
  EXPECT_EQ(claim(all("table4", "gin", 0.4), 6).checks[3].verdict(), Verdict::kFails);
}

TEST(Claims, BestOverallNeedsAllModelsAndComparesWithTheSecond) {
  std::vector<FitRecord> runs;
  for (const char* set : {"cc-grid16", "cc-grid32", "cc-euroroad", "cc-minnesota"}) {
    for (const char* model : {"gcn", "gcn-vn", "gat", "cheb", "g-unet", "hgnet-louvain"})
      add(runs, set, "", model, 2, 0.55);
    add(runs, set, "", "gin", 2, 0.85);
    add(runs, set, "", "hgnet-edgepool", 3, 0.9);
  }
  const Results results = results_of(runs);
  const std::vector<Claim> claims = check_result_claims(results);
  const ClaimCheck& best = claim(claims, 6).checks[0];
  EXPECT_EQ(best.verdict(), Verdict::kHolds);
  EXPECT_THAT(best.parts[0].numbers, HasSubstr("less GIN: +5.0"));
  ASSERT_TRUE(best.parts[0].comparison.has_value());
  EXPECT_EQ(best.parts[0].comparison->pairs, 12);
  EXPECT_NEAR(best.parts[0].comparison->difference, 0.05, 1e-9);
}

TEST(Claims, TheDepthIsChosenByValidationNotByTest) {
  std::vector<FitRecord> runs;
  add(runs, "cc-grid32", "", "g-unet", 1, 0.55);
  add(runs, "cc-grid32", "", "g-unet", 2, 0.90);
  for (FitRecord& run : runs) {
    if (run.depth() == 2) run.metrics["val"]["accuracy"] = 0.5;  // lucky on the test part alone
  }
  const Results results = results_of(runs);
  const std::vector<Claim> claims = check_result_claims(results);
  EXPECT_EQ(claim(claims, 6).checks[1].parts[0].verdict, Verdict::kHolds);
  EXPECT_THAT(claim(claims, 6).checks[1].parts[0].numbers, HasSubstr("g-U-Net, 1 level 55.0"));
}

TEST(Claims, TwoRunsAreNotEnough) {
  std::vector<FitRecord> runs;
  add(runs, "ogbg-molpcba", "", "gcn", 5, 0.2, false, 2);
  add(runs, "ogbg-molpcba", "", "gcn-vn", 5, 0.25, false, 2);
  const Results two = results_of(runs);
  EXPECT_EQ(claim(check_result_claims(two), 5).checks[1].verdict(), Verdict::kNotEnoughRuns);
  runs.clear();
  add(runs, "ogbg-molpcba", "", "gcn", 5, 0.2);
  add(runs, "ogbg-molpcba", "", "gcn-vn", 5, 0.25);
  const Results three = results_of(runs);
  EXPECT_EQ(claim(check_result_claims(three), 5).checks[1].verdict(), Verdict::kHolds);
}

TEST(Claims, QuickRunsCountOnlyAmongThemselvesAndAreSaidToBeQuick) {
  std::vector<FitRecord> runs;
  add(runs, "ogbg-molpcba", "", "gcn", 5, 0.2);
  add(runs, "ogbg-molpcba", "", "gcn-vn", 5, 0.25, true);
  const Results mixed = results_of(runs);
  EXPECT_EQ(claim(check_result_claims(mixed), 5).checks[1].verdict(), Verdict::kNotEnoughRuns);
  add(runs, "ogbg-molpcba", "", "gcn", 5, 0.1, true, 1);
  const Results quick = results_of(runs);
  const ClaimCheck check = claim(check_result_claims(quick), 5).checks[1];
  EXPECT_EQ(check.verdict(), Verdict::kHolds);
  EXPECT_TRUE(check.reduced);
  EXPECT_EQ(check.parts[0].comparison->pairs, 1);
}

TEST(Claims, PublishedBaselinesStandInWhereThereAreNoRuns) {
  std::vector<FitRecord> runs;
  for (const char* model : {"hgnet-edgepool", "hgnet-louvain"}) {
    add(runs, "ogbg-molpcba", "", model, 2, 0.22);
    add(runs, "ogbg-molhiv", "", model, 2, 0.74);
  }
  const Results results = results_of(runs);
  const ClaimCheck check = claim(check_result_claims(results), 5).checks[0];
  EXPECT_EQ(check.parts[0].verdict, Verdict::kHolds);
  EXPECT_THAT(check.parts[0].numbers, HasSubstr("GCN, 5 layers (published) 20.2"));
  EXPECT_FALSE(check.parts[0].comparison.has_value());
  EXPECT_EQ(check.parts[2].verdict, Verdict::kFails);  // 74.0 against 76.06
  EXPECT_EQ(check.verdict(), Verdict::kFails);
}

TEST(Claims, PublishedBaselinesAreNotHeldAgainstReducedRuns) {
  std::vector<FitRecord> runs;
  add(runs, "ogbg-molpcba", "", "hgnet-edgepool", 2, 0.1, true, 1);
  const Results results = results_of(runs);
  const ClaimCheck check = claim(check_result_claims(results), 5).checks[0];
  EXPECT_EQ(check.verdict(), Verdict::kNotEnoughRuns);
}

/// The check that two levels gain little over one at k = 1, on Cora with g-U-Net.
const ClaimPart& second_level_on_cora(const std::vector<Claim>& claims) {
  for (const ClaimPart& part : claim(claims, 2).checks[3].parts) {
    if (part.subject == "Cora, g-U-Net") return part;
  }
  throw std::runtime_error("no such part");
}

TEST(Claims, MeansAreOverTheRunsThatAllHave) {
  std::vector<FitRecord> runs;
  // Two levels are 5 points worse on each seed that both have; the other seeds are low for all.
  for (int seed = 0; seed < 10; ++seed) {
    FitRecord run = sample_run("cora", "g-unet", 1, seed < 3 ? 0.85 : 0.4, seed);
    run.split = "sanitized:1";
    runs.push_back(run);
    if (seed < 3) {
      run = sample_run("cora", "g-unet", 2, 0.8, seed);
      run.split = "sanitized:1";
      runs.push_back(run);
    }
  }
  const Results results = results_of(runs);
  const std::vector<Claim> claims = check_result_claims(results);
  const ClaimPart& part = second_level_on_cora(claims);
  EXPECT_EQ(part.verdict, Verdict::kHolds);
  EXPECT_THAT(part.numbers, HasSubstr("1 level 85.0, g-U-Net, 2 levels 80.0 over 3 runs"));
  EXPECT_EQ(part.comparison->pairs, 3);
  EXPECT_NEAR(part.comparison->difference, -0.05, 1e-9);
}

TEST(Claims, WhatIsThereButNotEnoughIsSaid) {
  std::vector<FitRecord> runs;
  add(runs, "cora", "sanitized:1", "g-unet", 1, 0.8);
  add(runs, "cora", "sanitized:1", "g-unet", 2, 0.8, false, 2);
  const Results few = results_of(runs);
  EXPECT_EQ(second_level_on_cora(check_result_claims(few)).numbers,
            "g-U-Net, 2 levels has 2 of 3 runs");
  runs.clear();
  add(runs, "cora", "sanitized:1", "g-unet", 1, 0.8);
  add(runs, "cora", "sanitized:1", "g-unet", 2, 0.8);
  for (FitRecord& run : runs) run.seed += run.depth() == 2 ? 2 : 0;
  const Results apart = results_of(runs);
  EXPECT_EQ(second_level_on_cora(check_result_claims(apart)).numbers,
            "1 seeds or folds in common, of 3");
}

TEST(Claims, OtherSplitsAndDepthsThanThePapersDoNotStandIn) {
  std::vector<FitRecord> runs;
  for (const char* model : {"g-unet", "hgnet-edgepool", "hgnet-louvain"})
    add(runs, "cora", "random:0.8,0.1,0.1", model, model == std::string("g-unet") ? 4 : 1, 0.8);
  const Results splits = results_of(runs);
  EXPECT_EQ(claim(check_result_claims(splits), 1).checks[0].parts[1].verdict,
            Verdict::kNotEnoughRuns);
  runs.clear();
  for (const char* model : {"g-unet", "hgnet-edgepool", "hgnet-louvain"})
    add(runs, "cora", "public", model, 7, 0.8);
  const Results depths = results_of(runs);
  EXPECT_EQ(claim(check_result_claims(depths), 1).checks[0].parts[1].verdict,
            Verdict::kNotEnoughRuns);
}

TEST(Claims, ShortenedRunsCountAmongThoseOfTheSameLength) {
  std::vector<FitRecord> runs;
  add(runs, "cc-grid16", "", "gcn", 4, 0.6, false, 1);
  add(runs, "cc-grid16", "", "gcn-vn", 4, 0.6, false, 1);
  for (FitRecord& run : runs) run.config["epochs"] = "40";
  const Results alike = results_of(runs);
  const std::vector<Claim> claims = check_result_claims(alike);
  const ClaimCheck& check = claim(claims, 6).checks[2];
  EXPECT_EQ(check.parts[0].verdict, Verdict::kHolds);
  EXPECT_TRUE(check.reduced);
  EXPECT_THAT(check.parts[0].numbers, HasSubstr("over 1 run of 40 epochs"));
  runs.back().config["epochs"] = "15";
  const Results mixed = results_of(runs);
  EXPECT_EQ(claim(check_result_claims(mixed), 6).checks[2].parts[0].verdict,
            Verdict::kNotEnoughRuns);
}

TEST(Claims, ReducedRunsAreAskedOnlyWhereFullOnesSayNothing) {
  std::vector<FitRecord> runs;
  for (const char* set : {"cora", "citeseer"}) {  // PubMed is open
    add(runs, set, "", "g-unet", 4, 0.8);
    for (const char* model : {"hgnet-edgepool", "hgnet-louvain"}) add(runs, set, "", model, 1, 0.8);
  }
  for (const char* set : {"cora", "citeseer", "pubmed"}) {
    add(runs, set, "", "g-unet", 4, 0.3, true, 1);
    for (const char* model : {"hgnet-edgepool", "hgnet-louvain"})
      add(runs, set, "", model, 1, 0.8, true, 1);
  }
  const Results results = results_of(runs);
  const std::vector<Claim> claims = check_result_claims(results);
  const ClaimCheck& check = claim(claims, 1).checks[0];
  EXPECT_EQ(check.verdict(), Verdict::kNotEnoughRuns);
  EXPECT_EQ(check.holding(), 2U);
  EXPECT_FALSE(check.reduced);
}

TEST(Verdicts, OfAClaimAreSaidToRestOnReducedRunsIfTheyWouldNotStandWithoutThem) {
  const auto check = [](Verdict verdict, bool reduced) {
    return ClaimCheck{"", "", {{"", verdict, "", {}, ""}}, 1, reduced};
  };
  const auto rests = [](std::vector<ClaimCheck> checks) {
    return Claim{1, "", "", std::move(checks)}.reduced();
  };
  EXPECT_FALSE(rests({check(Verdict::kFails, false), check(Verdict::kFails, true)}));
  EXPECT_TRUE(rests({check(Verdict::kHolds, false), check(Verdict::kFails, true)}));
  EXPECT_TRUE(rests({check(Verdict::kHolds, false), check(Verdict::kHolds, true)}));
  EXPECT_FALSE(rests({check(Verdict::kHolds, false), check(Verdict::kHolds, false)}));
  EXPECT_FALSE(rests({check(Verdict::kNotEnoughRuns, false), check(Verdict::kHolds, true)}));
}

TEST(SizeClaim, HoldsOnGridsAndAPath) {
  const std::vector<SizeSubject> subjects = {{"grid of 8x8", grid_graph(8, 8)},
                                             {"grid of 24x24", grid_graph(24, 24)},
                                             {"path of 500", path_graph(500)}};
  const Claim result = check_size_claim(subjects);
  EXPECT_EQ(result.verdict(), Verdict::kHolds);
  ASSERT_EQ(result.checks.size(), 6U);
  EXPECT_EQ(result.checks[0].parts.size(), 6U);  // three graphs, two coarsenings
  EXPECT_THAT(result.checks[4].parts[0].numbers, HasSubstr("in the graph alone 14"));
}

TEST(SizeClaim, FailsOnAStarWhoseMatchingsAreSingleEdges) {
  EdgeList list;
  for (std::int64_t leaf = 1; leaf < 100; ++leaf) {
    list.source.push_back(0);
    list.target.push_back(leaf);
  }
  const std::vector<SizeSubject> subjects = {{"star", Graph::from_edges(100, list)}};
  const Claim result = check_size_claim(subjects);
  EXPECT_EQ(result.verdict(), Verdict::kFails);
  EXPECT_EQ(result.checks[0].parts[0].verdict, Verdict::kFails);  // 100 + 99 + 98 + ... nodes
  EXPECT_THAT(result.checks[0].parts[0].numbers, HasSubstr("5050, 50.50 N"));
}

}  // namespace
}  // namespace hgnet
