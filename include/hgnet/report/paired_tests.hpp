#pragma once

#include <span>

namespace hgnet {

struct TestResult {
  double statistic = 0;
  double p = 1;   // two-sided
  int count = 0;  // differences that took part
};

/// Wilcoxon's signed-rank test of differences against a median of 0. Zeros are left out, ties share their mean rank.
/// The statistic is the smaller of the two rank sums; p is exact, ties included. No differences: p = 1.
TestResult wilcoxon_signed_rank(std::span<const double> differences);

/// Student's t of differences against a mean of 0, with n - 1 degrees of freedom. p = 1 for fewer than two, and for
/// differences that are all 0; p = 0 if all are the same other number.
TestResult paired_t(std::span<const double> differences);

/// P(|T| >= |t|) for Student's distribution with a whole number of degrees of freedom.
double student_two_sided(double t, int degrees);

}  // namespace hgnet
