#include "hgnet/report/claims.hpp"

#include <gtest/gtest.h>

namespace hgnet {
namespace {

/// With mean m and the same spread for every m.
std::vector<double> around(double m, int pairs) {
  if (pairs == 4) return {m - 1, m - 1, m + 1, m + 1};  // standard error 0.5774
  return {m - 1, m - 1, m, m + 1, m + 1};  // standard error 0.4472, p = 0.05 at 2.776 of them
}

TEST(Comparison, OfFivePairsGoesByTheTTest) {
  EXPECT_EQ(compare(around(1.25, 5)).above(), Verdict::kHolds);
  EXPECT_EQ(compare(around(1.23, 5)).above(), Verdict::kTie);
  EXPECT_EQ(compare(around(-1.23, 5)).above(), Verdict::kTie);
  EXPECT_EQ(compare(around(-1.25, 5)).above(), Verdict::kFails);
  EXPECT_EQ(compare(around(0.60, 5)).above(), Verdict::kTie);  // more than one standard error
}

TEST(Comparison, OfFewerPairsGoesByOneStandardError) {
  EXPECT_EQ(compare(around(0.58, 4)).above(), Verdict::kHolds);
  EXPECT_EQ(compare(around(0.57, 4)).above(), Verdict::kTie);
  EXPECT_EQ(compare(around(-0.57, 4)).above(), Verdict::kTie);
  EXPECT_EQ(compare(around(-0.58, 4)).above(), Verdict::kFails);
}

TEST(Comparison, IsHeldAgainstItsBound) {
  EXPECT_EQ(compare(around(3.25, 5), 2).above(), Verdict::kHolds);
  EXPECT_EQ(compare(around(3.23, 5), 2).above(), Verdict::kTie);
  EXPECT_EQ(compare(around(0.75, 5), 2).above(), Verdict::kFails);
  EXPECT_EQ(compare(around(0.75, 5), 2).below(), Verdict::kHolds);
  EXPECT_EQ(compare(around(0.77, 5), 2).below(), Verdict::kTie);
  EXPECT_EQ(compare(around(3.25, 5), 2).below(), Verdict::kFails);
  EXPECT_NEAR(compare(around(3.25, 5), 2).difference, 3.25, 1e-12);
}

TEST(Comparison, WhatDiffersByRoundingAloneIsTheSame) {
  const std::vector<double> same = {81.3 - 78.3, 100 * (0.813 - 0.783), 80.1 - 77.1};
  EXPECT_EQ(compare(same, 3).t.p, 1);
  EXPECT_EQ(compare(same, 3).above(), Verdict::kTie);
  EXPECT_EQ(compare(same, 3).below(), Verdict::kTie);
  // 0.02 and 0.02 share their rank although their last bits differ: ranks 2.5, 2.5, 1.
  const std::vector<double> ranked = {100 * (0.80 - 0.78), 100 * (0.82 - 0.80), -1};
  EXPECT_EQ(compare(ranked).wilcoxon.statistic, 1);
}

ClaimCheck check_of(int holds, int fails, int ties, int open, std::size_t needed) {
  ClaimCheck check{"", "", "", {}, needed};
  const auto add = [&](int count, Verdict verdict) {
    for (int i = 0; i < count; ++i) check.parts.push_back({"", verdict, "", {}});
  };
  add(holds, Verdict::kHolds);
  add(fails, Verdict::kFails);
  add(ties, Verdict::kTie);
  add(open, Verdict::kNotEnoughRuns);
  return check;
}

TEST(Verdicts, CountPartsAgainstWhatIsNeeded) {
  const auto verdict = [](int holds, int fails, int open, std::size_t needed) {
    return check_of(holds, fails, 0, open, needed).verdict();
  };
  EXPECT_EQ(verdict(3, 0, 0, 3), Verdict::kHolds);
  EXPECT_EQ(verdict(2, 1, 0, 3), Verdict::kFails);
  EXPECT_EQ(verdict(2, 0, 1, 3), Verdict::kNotEnoughRuns);
  EXPECT_EQ(verdict(4, 2, 1, 4), Verdict::kHolds);          // enough, whatever the last one is
  EXPECT_EQ(verdict(3, 3, 1, 4), Verdict::kNotEnoughRuns);  // the last one decides
  EXPECT_EQ(verdict(2, 4, 1, 4), Verdict::kFails);          // out of reach
}

TEST(Verdicts, TiesCountNeitherForNorAgainst) {
  EXPECT_EQ(check_of(2, 0, 1, 0, 3).verdict(), Verdict::kTie);
  EXPECT_EQ(check_of(0, 0, 3, 0, 3).verdict(), Verdict::kTie);
  EXPECT_EQ(check_of(2, 1, 1, 0, 4).verdict(), Verdict::kFails);  // one failure is enough
  EXPECT_EQ(check_of(4, 0, 3, 0, 4).verdict(), Verdict::kHolds);
  EXPECT_EQ(check_of(3, 3, 1, 0, 4).verdict(), Verdict::kTie);  // neither 4 hold nor 4 fail
  EXPECT_EQ(check_of(2, 4, 1, 0, 4).verdict(), Verdict::kFails);
  EXPECT_EQ(check_of(2, 0, 1, 1, 4).verdict(), Verdict::kNotEnoughRuns);  // it may yet fail
  EXPECT_EQ(check_of(1, 1, 4, 1, 4).verdict(), Verdict::kTie);  // the last one decides nothing
}

TEST(Verdicts, OfAClaimAreThoseOfItsChecks) {
  const ClaimCheck holds = check_of(1, 0, 0, 0, 1), fails = check_of(0, 1, 0, 0, 1),
                   tie = check_of(0, 0, 1, 0, 1), open = check_of(0, 0, 0, 1, 1);
  const auto verdict = [](std::vector<ClaimCheck> checks) {
    return Claim{1, "", "", std::move(checks)}.verdict();
  };
  EXPECT_EQ(verdict({holds, holds}), Verdict::kHolds);
  EXPECT_EQ(verdict({holds, tie}), Verdict::kTie);
  EXPECT_EQ(verdict({tie, open, holds}), Verdict::kNotEnoughRuns);
  EXPECT_EQ(verdict({holds, tie, open, fails}), Verdict::kFails);
}

TEST(Verdicts, OfAClaimAreSaidToRestOnReducedFitsIfTheyWouldNotStandWithoutThem) {
  const auto check = [](Verdict verdict, bool reduced) {
    return ClaimCheck{"", "", "", {{"", verdict, "", {}}}, 1, reduced};
  };
  const auto rests = [](std::vector<ClaimCheck> checks) {
    return Claim{1, "", "", std::move(checks)}.reduced();
  };
  EXPECT_FALSE(rests({check(Verdict::kFails, false), check(Verdict::kFails, true)}));
  EXPECT_TRUE(rests({check(Verdict::kHolds, false), check(Verdict::kFails, true)}));
  EXPECT_TRUE(rests({check(Verdict::kHolds, false), check(Verdict::kHolds, true)}));
  EXPECT_FALSE(rests({check(Verdict::kHolds, false), check(Verdict::kHolds, false)}));
  EXPECT_TRUE(rests({check(Verdict::kTie, false), check(Verdict::kHolds, true)}));
  EXPECT_FALSE(rests({check(Verdict::kNotEnoughRuns, false), check(Verdict::kHolds, true)}));
  EXPECT_EQ(verdict_text(Verdict::kTie, true), "tie (quick or shortened fits)");
  EXPECT_EQ(verdict_text(Verdict::kNotEnoughRuns, true), "not enough runs");
}

}  // namespace
}  // namespace hgnet
