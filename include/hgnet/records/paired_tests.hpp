#pragma once

#include <span>
#include <string>

namespace hgnet {

struct TestResult {
  double statistic = 0;
  double p = 1;   // two-sided
  int count = 0;  // differences used
};

/// Wilcoxon's signed-rank test of differences against a median of 0. Zeros are left out; ties get
/// their mean rank. The statistic is the smaller of the two rank sums; p is exact, also with ties.
/// No differences: p = 1.
TestResult wilcoxon_signed_rank(std::span<const double> differences);

/// The sign test: whether one of two wins more often than chance. Exact; ties are left out before.
/// The statistic is the smaller number.
TestResult sign_test(int wins, int losses);

/// Student's t-test of differences against a mean of 0, with n - 1 degrees of freedom. p = 1 for
/// fewer than two differences and if all are 0; p = 0 if all are the same non-zero number.
TestResult paired_t(std::span<const double> differences);

/// P(|T| >= |t|) for Student's distribution with an integer number of degrees of freedom.
double student_two_sided(double t, int degrees);

/// "0.0020", "< 0.0001".
std::string p_text(double p);

}  // namespace hgnet
