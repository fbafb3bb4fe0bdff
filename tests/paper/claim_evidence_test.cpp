// Which fits a claim rests on.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paper/claim_fits.hpp"

namespace hgnet {
namespace {

using test::Fits;
using test::kHgnets;
using test::kHierarchical;
using testing::HasSubstr;

TEST(Claims, OfAReadingRestOnItsOwnFits) {
  Fits fits;
  fits.add_all(kColorSets, "", {"gcn-vn"}, 4, -5);
  fits.add_all(kColorSets, "", {"gcn"}, 4, 0);
  EXPECT_EQ(fits.claims().size(), 6U);
  for (const auto& [model, points] : {std::pair("gcn-vn", 5.0), {"gcn", 0.0}}) {
    const std::size_t before = fits.records.size();
    fits.add_all(kColorSets, "", {model}, 4, points);
    for (std::size_t i = before; i < fits.records.size(); ++i) fits.records[i].reading = "as-run";
  }
  const std::vector<Claim> claims = fits.claims();
  ASSERT_EQ(claims.size(), 7U);  // claim 6 twice
  EXPECT_EQ(claims[5].number, 6);
  EXPECT_EQ(claims[5].reading, Reading::kAsWritten);
  EXPECT_EQ(claims[5].checks[2].verdict(), Verdict::kHolds);
  EXPECT_EQ(claims[6].number, 6);
  EXPECT_EQ(claims[6].reading, Reading::kAsRun);
  EXPECT_EQ(claims[6].checks[2].verdict(), Verdict::kFails);
}

TEST(Claims, OneReadingDoesNotFillTheGapsOfTheOther) {
  Fits fits;
  fits.add_all(kColorSets, "", {"gcn-vn"}, 4, 0);
  fits.add_all(kColorSets, "", {"gcn"}, 4, 0);
  for (FitRecord& fit : fits.records) {
    if (fit.model == "gcn") fit.reading = "as-run";
  }
  for (const Claim& claim : fits.claims()) {
    if (claim.number == 6) {
      EXPECT_EQ(claim.checks[2].verdict(), Verdict::kNotEnoughRuns);
    }
  }
}

TEST(Claims, TheDepthIsChosenByValidationNotByTest) {
  Fits fits;
  fits.add("cc-grid32", "", "g-unet", 1, -15);
  fits.add("cc-grid32", "", "g-unet", 2, 20);
  for (FitRecord& fit : fits.records) {
    if (fit.depth() == 2) fit.metrics["val"]["accuracy"] = 0.5;  // lucky on the test part only
  }
  const ClaimPart part = fits.check(6, 1).parts[0];
  EXPECT_EQ(part.verdict, Verdict::kHolds);
  EXPECT_THAT(part.numbers, HasSubstr("g-U-Net, 1 level 55.6"));
}

TEST(Claims, ThreeFitsAreEnoughAndTwoAreNot) {
  const auto check = [](int seeds) {
    Fits fits;
    fits.add("ogbg-molpcba", "", "gcn", 5, 0, seeds);
    fits.add("ogbg-molpcba", "", "gcn-vn", 5, 5, seeds);
    return fits.check(5, 1);
  };
  EXPECT_EQ(check(2).verdict(), Verdict::kNotEnoughRuns);
  EXPECT_THAT(check(2).parts[0].numbers, HasSubstr("GCN, 5 layers has 2 of 3 fits"));
  EXPECT_EQ(check(3).verdict(), Verdict::kHolds);
}

TEST(Claims, QuickFitsCountOnlyAmongThemselvesAndAreSaidToBeQuick) {
  Fits fits;
  fits.add("ogbg-molpcba", "", "gcn", 5, 0);
  fits.add("ogbg-molpcba", "", "gcn-vn", 5, 5, 5, true);
  EXPECT_EQ(fits.check(5, 1).verdict(), Verdict::kNotEnoughRuns);
  EXPECT_FALSE(fits.check(5, 1).reduced);
  fits.add("ogbg-molpcba", "", "gcn", 5, -10, 2, true);
  EXPECT_EQ(fits.check(5, 1).verdict(), Verdict::kHolds);
  EXPECT_TRUE(fits.check(5, 1).reduced);
  EXPECT_EQ(fits.check(5, 1).parts[0].comparison->pairs, 2);
}

TEST(Claims, OneReducedFitIsShownButDecidesNothing) {
  Fits fits;
  fits.add("cc-grid16", "", "gcn", 4, 0, 1, false, 40);
  fits.add("cc-grid16", "", "gcn-vn", 4, -6, 1, false, 40);
  EXPECT_EQ(fits.check(6, 2).parts[0].verdict, Verdict::kNotEnoughRuns);
  EXPECT_THAT(fits.check(6, 2).parts[0].numbers, HasSubstr("over 1 fit (40 epochs)"));
}

TEST(Claims, ShortenedFitsCountAmongThoseOfTheSameLength) {
  Fits fits;
  fits.add("cc-grid16", "", "gcn", 4, 0, 2, false, 40);
  fits.add("cc-grid16", "", "gcn-vn", 4, -1, 2, false, 40);
  EXPECT_EQ(fits.check(6, 2).parts[0].verdict, Verdict::kHolds);
  EXPECT_TRUE(fits.check(6, 2).reduced);
  for (FitRecord& fit : fits.records) {
    if (fit.model == "gcn-vn") fit.config["epochs"] = JsonValue::parsed("15");
  }
  EXPECT_EQ(fits.check(6, 2).parts[0].verdict, Verdict::kNotEnoughRuns);
  EXPECT_EQ(fits.check(6, 2).parts[0].numbers, "missing: GCN+VN; GCN");
}

TEST(Claims, ReducedFitsAreAskedOnlyWhereFullOnesSayNothing) {
  Fits fits;
  for (const std::string& set : kOgbSets) {
    fits.add(set, "", "gcn", 5, 0, 5, true);
    for (const std::string& model : kHgnets) fits.add(set, "", model, 2, 5, 5, true);
  }
  EXPECT_EQ(fits.check(5, 0).verdict(), Verdict::kHolds);
  EXPECT_TRUE(fits.check(5, 0).reduced);
  fits.add("ogbg-molhiv", "", "gcn", 5, 0);
  fits.add("ogbg-molhiv", "", "hgnet-louvain", 2, 5);
  const ClaimCheck check = fits.check(5, 0);
  EXPECT_EQ(check.verdict(), Verdict::kNotEnoughRuns);
  EXPECT_EQ(check.count(Verdict::kHolds), 1U);
  EXPECT_FALSE(check.reduced);
}

TEST(Claims, PublishedBaselinesStandInWhereThereAreNoFits) {
  Fits fits;  // GCN has 20.20 and 76.06
  for (const std::string& model : kHgnets) {
    fits.add("ogbg-molpcba", "", model, 2, -48);
    fits.add("ogbg-molhiv", "", model, 2, 4);
  }
  const ClaimCheck check = fits.check(5, 0);
  EXPECT_EQ(check.parts[0].verdict, Verdict::kHolds);
  EXPECT_THAT(check.parts[0].numbers, HasSubstr("GCN, 5 layers (published) 20.2"));
  EXPECT_EQ(check.parts[2].verdict, Verdict::kFails);
  EXPECT_EQ(check.verdict(), Verdict::kFails);
}

TEST(Claims, PublishedBaselinesAreNotHeldAgainstReducedFits) {
  Fits fits;
  fits.add("ogbg-molpcba", "", "hgnet-edgepool", 2, -60, 5, true);
  EXPECT_EQ(fits.check(5, 0).verdict(), Verdict::kNotEnoughRuns);
}

TEST(Claims, ScoresAreThoseOfTheFitsThatAllHave) {
  Fits fits;  // 5 points better on each common seed; the other seeds are high for all
  fits.add("ogbg-molpcba", "", "gcn-vn", 5, 5, 3);
  fits.add("ogbg-molpcba", "", "gcn", 5, 0, 10);
  for (FitRecord& fit : fits.records) {
    if (fit.seed >= 3) fit.metrics["test"]["accuracy"] = 0.99;
  }
  const ClaimPart part = fits.check(5, 1).parts[0];
  EXPECT_EQ(part.verdict, Verdict::kHolds);
  EXPECT_EQ(part.comparison->pairs, 3);
  EXPECT_NEAR(part.comparison->difference, 5, 1e-9);
  EXPECT_THAT(part.numbers, HasSubstr("over 3 fits"));
  for (FitRecord& fit : fits.records) fit.seed += fit.model == "gcn-vn" ? 8 : 0;
  EXPECT_EQ(fits.check(5, 1).parts[0].numbers, "2 seeds or folds in common, of 3");
}

TEST(Claims, OtherSplitsAndDepthsThanThePapersDoNotStandIn) {
  Fits splits;
  splits.add_all(kCitationSets, "random:0.8,0.1,0.1", kHierarchical, 0, 0);
  EXPECT_EQ(splits.check(1, 0).verdict(), Verdict::kNotEnoughRuns);
  Fits depths;
  depths.add_all(kCitationSets, "public", kHierarchical, 7, 0);
  EXPECT_EQ(depths.check(1, 0).verdict(), Verdict::kNotEnoughRuns);
  Fits papers;
  papers.add_all(kCitationSets, "public", kHierarchical, 0, 0);
  EXPECT_EQ(papers.check(1, 0).verdict(), Verdict::kHolds);
}

}  // namespace
}  // namespace hgnet
