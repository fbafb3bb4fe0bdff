#include "hgnet/paper/claims.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "paper/claim_fits.hpp"

namespace hgnet {
namespace {

using test::Fits;
using test::kHgnets;
using test::kHierarchical;
using test::Names;
using test::sample_fit;
using testing::HasSubstr;

const Names kOthers = {"gcn", "gcn-vn", "gat", "cheb", "gin", "g-unet"};
const Names kMolecular = {"DD", "NCI1", "ENZYMES", "PROTEINS"};

/// A check, and fits that make its difference as large as wanted.
struct Threshold {
  const char* name;
  int claim;
  std::size_t check;
  double bound;
  bool above;  // holds above the bound; otherwise below
  std::function<void(Fits&, double)> fits;
  std::size_t part = 0;
};

std::vector<Threshold> thresholds() {
  const Names& citation = kCitationSets;
  const auto behind = [=](Fits& f, double d) {
    f.add_all(citation, "", {"gat"}, 0, d);
    f.add_all(citation, "", {"gcn", "cheb"}, 0, d - 1);
    f.add_all(citation, "", {"g-unet"}, 0, 0);
    f.add_all(citation, "", kHgnets, 0, -1);
  };
  return {{"hierarchical models close", 1, 0, 2, false,
           [=](Fits& f, double d) {
             f.add_all(citation, "", {"g-unet", "hgnet-edgepool"}, 0, 0);
             f.add_all(citation, "", {"hgnet-louvain"}, 0, d);
           }},
          {"behind", 1, 1, 0, true, behind},
          {"slightly", 1, 1, 3, false, behind, 1},
          {"clearly lower", 1, 2, 3, true,
           [=](Fits& f, double d) {
             f.add_all(citation, "", {"cheb"}, 0, d);
             f.add_all(citation, "", {"gcn", "gat"}, 0, d - 1);
             f.add_all(citation, "", {"gcn-vn", "gin"}, 0, 0);
           }},
          {"one layer drops", 2, 0, 0, true,
           [=](Fits& f, double d) {
             f.add_all(citation, "sanitized:1", {"gcn", "gat", "cheb", "gin"}, 2, d);
             f.add_all(citation, "sanitized:1", {"gcn", "gat", "cheb", "gin"}, 1, 0);
           }},
          {"one level beats them", 2, 1, 0, true,
           [=](Fits& f, double d) {
             f.add_all(citation, "sanitized:1", kHierarchical, 1, d);
             f.add_all(citation, "sanitized:1", {"gcn", "gat", "cheb"}, 1, -4);
             f.add_all(citation, "sanitized:1", {"gin"}, 1, 0);
           }},
          {"two layers recover", 2, 2, -2, true,
           [=](Fits& f, double d) {
             f.add_all(citation, "sanitized:1", {"gcn", "gat"}, 2, d);
             f.add_all(citation, "sanitized:1", {"g-unet"}, 1, 0);
             f.add_all(citation, "sanitized:1", kHgnets, 1, -4);
           }},
          {"a second level does not help", 2, 3, 1, false,
           [=](Fits& f, double d) {
             f.add_all(citation, "sanitized:1", kHierarchical, 2, d);
             f.add_all(citation, "sanitized:1", kHierarchical, 1, 0);
           }},
          {"two or three levels gain", 3, 0, 0, true,
           [=](Fits& f, double d) {
             f.add_all(citation, "sanitized:2", kHierarchical, 1, 0);
             f.add_all(citation, "sanitized:2", kHierarchical, 2, d - 5);
             f.add_all(citation, "sanitized:2", kHierarchical, 3, d);
           }},
          {"most on PubMed", 3, 1, 0, true,
           [=](Fits& f, double d) {
             f.add_all(citation, "sanitized:2", kHierarchical, 1, 0);
             f.add_all(citation, "sanitized:2", kHierarchical, 2, -5);
             f.add_all({"citeseer", "cora"}, "sanitized:2", kHierarchical, 3, 1);
             f.add_all({"pubmed"}, "sanitized:2", kHierarchical, 3, 1 + d);
           }},
          {"an HGNet is best", 4, 0, 0, true,
           [](Fits& f, double d) {
             f.add_all(kTuSets, "", {"hgnet-louvain"}, 0, d);
             f.add_all(kTuSets, "", {"hgnet-edgepool"}, 0, -5);
             f.add_all(kTuSets, "", {"gcn", "gcn-vn", "gat", "cheb", "gin"}, 0, -3);
             f.add_all(kTuSets, "", {"g-unet"}, 0, 0);
           }},
          {"GCN+VN among the best three", 4, 1, 0, true,
           [](Fits& f, double d) {
             f.add_all(kMolecular, "", {"gcn-vn"}, 0, d);
             f.add_all(kMolecular, "", kHgnets, 0, 5);
             f.add_all(kMolecular, "", {"gin"}, 0, 0);
             f.add_all(kMolecular, "", {"gcn", "gat", "cheb", "g-unet"}, 0, -3);
           }},
          {"g-U-Net behind", 4, 2, 0, true,
           [](Fits& f, double d) {
             f.add_all(kTuSets, "", {"hgnet-louvain"}, 0, d);
             f.add_all(kTuSets, "", {"hgnet-edgepool"}, 0, 5);
             f.add_all(kTuSets, "", {"g-unet"}, 0, 0);
           }},
          {"HGNet beats GCN on molecules", 5, 0, 0, true,
           [](Fits& f, double d) {
             f.add_all(kOgbSets, "", kHgnets, 2, d);
             f.add_all(kOgbSets, "", {"gcn"}, 5, 0);
           }},
          {"a virtual node helps a lot", 5, 1, 2, true,
           [](Fits& f, double d) {
             f.add("ogbg-molpcba", "", "gcn-vn", 5, d);
             f.add("ogbg-molpcba", "", "gcn", 5, 0);
           }},
          {"EdgePool best overall", 6, 0, 0, true,
           [](Fits& f, double d) {
             f.add_all(kColorSets, "", {"hgnet-edgepool"}, 3, d);
             f.add_all(kColorSets, "", kOthers, 2, -3);
             f.add_all(kColorSets, "", {"hgnet-louvain"}, 3, 0);
           }},
          {"g-U-Net fails", 6, 1, 0, false,
           [](Fits& f, double d) {
             for (const std::string& set : kColorSets) {
               for (int seed = 0; seed < 5; ++seed)
                 f.records.push_back(sample_fit(set, "g-unet", 3, 0.6 + 0.01 * d, seed));
             }
           }},
          {"a virtual node adds nothing", 6, 2, 1, false,
           [](Fits& f, double d) {
             f.add_all(kColorSets, "", {"gcn-vn"}, 4, d);
             f.add_all(kColorSets, "", {"gcn"}, 4, 0);
           }},
          {"ChebNet and GIN do well", 6, 3, 0, true, [](Fits& f, double d) {
             f.add_all(kColorSets, "", {"cheb", "gin"}, 4, d);
             f.add_all(kColorSets, "", {"gcn"}, 4, -3);
             f.add_all(kColorSets, "", {"gat"}, 4, 0);
           }}};
}

TEST(Claims, ChangeTheirVerdictAtTheirThreshold) {
  for (const Threshold& t : thresholds()) {
    const auto verdict = [&](double difference) {
      Fits fits;
      t.fits(fits, difference);
      const ClaimCheck check = fits.check(t.claim, t.check);
      return check.parts.at(t.part).verdict;
    };
    const Verdict more = t.above ? Verdict::kHolds : Verdict::kFails;
    const Verdict less = t.above ? Verdict::kFails : Verdict::kHolds;
    EXPECT_EQ(verdict(t.bound + 0.02), more) << t.name;
    EXPECT_EQ(verdict(t.bound), Verdict::kTie) << t.name;
    EXPECT_EQ(verdict(t.bound - 0.02), less) << t.name;
  }
}

TEST(Claims, AllOfThemAreHereWithRuleAndSentence) {
  std::set<std::pair<int, std::size_t>> tried;
  for (const Threshold& t : thresholds()) tried.insert({t.claim, t.check});
  const std::vector<Claim> claims = Fits().claims();
  ASSERT_EQ(claims.size(), 6U);
  std::size_t checks = 0;
  for (const Claim& claim : claims) {
    EXPECT_EQ(claim.verdict(), Verdict::kNotEnoughRuns) << claim.title;
    EXPECT_FALSE(claim.reduced());
    for (const ClaimCheck& check : claim.checks) {
      EXPECT_FALSE(check.sentence.empty()) << check.statement;
      EXPECT_THAT(check.rule, testing::MatchesRegex(".* is (above|below) .*points?")) << check.rule;
      ++checks;
    }
  }
  EXPECT_EQ(tried.size(), checks);  // every check has a test of its threshold
}

TEST(Claims, OfCitationNetworksAreAboutTheMeanOverTheThree) {
  const auto verdict = [](double citeseer, double cora, double pubmed) {
    Fits fits;
    fits.add_all(kCitationSets, "", {"g-unet", "hgnet-edgepool"}, 0, 0);
    fits.add("citeseer", "", "hgnet-louvain", 1, citeseer);
    fits.add("cora", "", "hgnet-louvain", 1, cora);
    fits.add("pubmed", "", "hgnet-louvain", 1, pubmed);
    return fits.check(1, 0).verdict();
  };
  EXPECT_EQ(verdict(0.5, 0.5, 2.6), Verdict::kHolds);  // although PubMed alone is beyond 2
  EXPECT_EQ(verdict(3.5, 3.5, 1.4), Verdict::kFails);  // although PubMed alone is within
  EXPECT_EQ(verdict(1.0, 1.9, 2.5), Verdict::kTie);
}

TEST(Claims, EveryDataSetCountsTheSameInAMean) {
  Fits fits;
  for (const std::string& set : kCitationSets) {
    const int seeds = set == "cora" ? 12 : 3;
    for (const char* model : {"gcn", "gat", "cheb", "gin"}) {
      fits.add(set, "sanitized:1", model, 2, set == "cora" ? 1 : 4, seeds);
      fits.add(set, "sanitized:1", model, 1, 0, seeds);
    }
  }
  const ClaimPart part = fits.check(2, 0).parts[0];
  EXPECT_EQ(part.comparison->pairs, 18);
  EXPECT_NEAR(part.comparison->difference, 3, 1e-9);
  EXPECT_THAT(part.numbers, HasSubstr("GCN, 2 layers less GCN, 1 layer: +3.0; CiteSeer +4.0, Cora "
                                      "+1.0, PubMed +4.0"));
}

/// Whether a check by data set holds if its difference is above 0 on some data sets and below on
/// the others.
Verdict with_some(int claim, std::size_t check, const Names& sets, std::size_t holding,
                  const std::function<void(Fits&, const std::string&, double)>& add) {
  Fits fits;
  for (std::size_t i = 0; i < sets.size(); ++i) add(fits, sets[i], i < holding ? 1 : -1);
  return fits.check(claim, check).verdict();
}

TEST(Claims, NeedAsManyDataSetsAsTheySay) {
  const auto hgnet_best = [](Fits& f, const std::string& set, double d) {
    f.add_all({set}, "", kHgnets, 0, d);
    f.add_all({set}, "", kOthers, 0, 0);
  };
  EXPECT_EQ(with_some(4, 0, kTuSets, 4, hgnet_best), Verdict::kHolds);
  EXPECT_EQ(with_some(4, 0, kTuSets, 3, hgnet_best), Verdict::kFails);
  EXPECT_EQ(with_some(4, 2, kTuSets, 4, hgnet_best), Verdict::kHolds);
  EXPECT_EQ(with_some(4, 2, kTuSets, 3, hgnet_best), Verdict::kFails);
  const auto virtual_node = [](Fits& f, const std::string& set, double d) {
    f.add_all({set}, "", {"gcn-vn"}, 0, d);
    f.add_all({set}, "", {"gcn", "gat", "cheb", "gin", "g-unet"}, 0, 0);
    f.add_all({set}, "", kHgnets, 0, 0);
  };
  EXPECT_EQ(with_some(4, 1, kMolecular, 3, virtual_node), Verdict::kHolds);
  EXPECT_EQ(with_some(4, 1, kMolecular, 2, virtual_node), Verdict::kFails);
  const auto molecules = [](Fits& f, const std::string& set, double d) {
    f.add_all({set}, "", kHgnets, 2, d);
    f.add_all({set}, "", {"gcn"}, 5, 0);
  };
  EXPECT_EQ(with_some(5, 0, kOgbSets, 2, molecules), Verdict::kHolds);
  EXPECT_EQ(with_some(5, 0, kOgbSets, 1, molecules), Verdict::kFails);
  const auto well = [](Fits& f, const std::string& set, double d) {
    f.add_all({set}, "", {"cheb", "gin"}, 4, d);
    f.add_all({set}, "", {"gcn", "gat"}, 4, 0);
  };
  EXPECT_EQ(with_some(6, 3, kColorSets, 4, well), Verdict::kHolds);
  EXPECT_EQ(with_some(6, 3, kColorSets, 3, well), Verdict::kFails);
}

TEST(Claims, TypicallyIsTwoOfThreeModels) {
  const auto verdict = [](double second, double third) {
    Fits fits;
    fits.add_all(kCitationSets, "sanitized:2", kHierarchical, 1, 0);
    fits.add_all(kCitationSets, "sanitized:2", kHierarchical, 2, -5);
    fits.add_all(kCitationSets, "sanitized:2", {"g-unet"}, 3, 1);
    fits.add_all(kCitationSets, "sanitized:2", {"hgnet-edgepool"}, 3, second);
    fits.add_all(kCitationSets, "sanitized:2", {"hgnet-louvain"}, 3, third);
    return fits.check(3, 0).verdict();
  };
  EXPECT_EQ(verdict(1, -1), Verdict::kHolds);
  EXPECT_EQ(verdict(-1, -1), Verdict::kFails);
  EXPECT_EQ(verdict(0, 0), Verdict::kTie);
}

TEST(Claims, HoldWhereTheSampleIsFarFromTheirThresholds) {
  const std::vector<Claim> claims = check_result_claims(paper_results(test::sample_records()));
  EXPECT_EQ(claims[0].verdict(), Verdict::kHolds);
  EXPECT_EQ(claims[2].verdict(), Verdict::kHolds);
  EXPECT_EQ(claims[5].verdict(), Verdict::kNotEnoughRuns);  // a model is missing on one graph
}

TEST(Claims, BestOverallNeedsAllModelsAndComparesWithTheSecond) {
  Fits fits;
  fits.add_all(kColorSets, "", kOthers, 2, -15);
  fits.add_all(kColorSets, "", {"hgnet-louvain"}, 3, 5);
  fits.add_all(kColorSets, "", {"hgnet-edgepool"}, 3, 10);
  const ClaimCheck best = fits.check(6, 0);
  EXPECT_EQ(best.verdict(), Verdict::kHolds);
  EXPECT_THAT(best.parts[0].numbers, HasSubstr("HGNet-EdgePool less HGNet-Louvain: +5.0"));
  EXPECT_EQ(best.parts[0].comparison->pairs, 20);
  std::erase_if(fits.records, [](const FitRecord& fit) {
    return fit.model == "gat" && fit.dataset == "cc-euroroad";
  });
  EXPECT_EQ(fits.check(6, 0).verdict(), Verdict::kNotEnoughRuns);
  EXPECT_THAT(fits.check(6, 0).parts[0].numbers, HasSubstr("C-C Euroroad: missing: GAT"));
}

/// One fit of each matched set, with these scores in points above 70 %.
void add_matched(Fits& fits, const std::string& model, int depth, std::int64_t parameters,
                 double points) {
  for (const std::string& dataset : kMatchedSets) {
    FitRecord fit = sample_fit(dataset, model, depth, 0.7 + 0.01 * points, 0, 0);
    fit.table = kRangeTable;
    fit.parameters = parameters;
    fits.records.push_back(fit);
  }
}

ClaimCheck equal_parameters(const Fits& fits) {
  return check_range_findings(paper_results({fits.records, {}, {}})).at(0).checks.at(2);
}

TEST(RangeFindings, CompareWithTheGinThatIsNearestInParameters) {
  Fits fits;
  add_matched(fits, "hgnet-edgepool", 3, 10000, 10);
  add_matched(fits, "hgnet-louvain", 3, 10000, 0);
  add_matched(fits, "gin", 4, 8500, 5);
  add_matched(fits, "gin", 8, 16000, 14);
  const ClaimCheck check = equal_parameters(fits);
  ASSERT_EQ(check.parts.size(), 2 * kMatchedSets.size());
  EXPECT_EQ(check.parts[0].verdict, Verdict::kHolds);
  EXPECT_EQ(check.parts[1].verdict, Verdict::kFails);
  EXPECT_THAT(check.parts[0].numbers,
              HasSubstr("GIN, 4 layers (8500 parameters; HGNet-EdgePool, 3 levels has 10000"));
}

/// Of 1,500 test samples at 75 and 74 %, the difference has a standard error of 1.6 points.
TEST(RangeFindings, AFitAloneDecidesByTheNumberOfItsTestSamples) {
  Fits fits;
  add_matched(fits, "hgnet-edgepool", 3, 10000, 5);
  add_matched(fits, "gin", 4, 10000, 4);
  const ClaimPart close = equal_parameters(fits).parts.at(0);
  EXPECT_EQ(close.verdict, Verdict::kTie);
  EXPECT_THAT(close.numbers, HasSubstr("+1.0, standard error 1.6 by test samples"));
  for (FitRecord& fit : fits.records) fit.samples["test"] = 15000;
  EXPECT_EQ(equal_parameters(fits).parts.at(0).verdict, Verdict::kHolds);
}

TEST(RangeFindings, SayWhatIsKnownWhereRunsAreMissing) {
  Fits fits;
  add_matched(fits, "hgnet-edgepool", 3, 10000, 20);
  add_matched(fits, "gin", 4, 10000, 4);
  std::erase_if(fits.records, [](const FitRecord& fit) { return fit.dataset != kMatchedSets[0]; });
  EXPECT_EQ(equal_parameters(fits).outcome(),
            "not enough runs, 1 of 8 (needed 8); 16x16 grid, matched, HGNet-EdgePool: holds");
}

TEST(RangeFindings, SayThatNoGinHasAboutAsManyParameters) {
  Fits fits;
  add_matched(fits, "hgnet-edgepool", 3, 10000, 5);
  add_matched(fits, "gin", 4, 7900, 4);
  add_matched(fits, "gin", 8, 12600, 4);
  const ClaimPart part = equal_parameters(fits).parts.at(0);
  EXPECT_EQ(part.verdict, Verdict::kNotEnoughRuns);
  EXPECT_THAT(part.numbers, HasSubstr("missing: GIN with about 10000 parameters"));
}

}  // namespace
}  // namespace hgnet
