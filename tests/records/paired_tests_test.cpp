#include "hgnet/records/paired_tests.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "hgnet/core/random.hpp"

namespace hgnet {
namespace {

// Darwin's plants: heights of 15 pairs, crossed minus self-fertilised, in eighths of an inch
// (Fisher, The Design of Experiments). Known: W = 24, p = 0.04126; t = 2.148 with 14 degrees of
// freedom, p = 0.0497.
const std::vector<double> kDarwin = {49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48};

/// By its definition: all choices of signs, equally likely.
double wilcoxon_by_enumeration(const std::vector<double>& differences) {
  std::vector<double> sizes;
  for (const double d : differences) {
    if (d != 0) sizes.push_back(std::abs(d));
  }
  const std::size_t n = sizes.size();
  std::vector<double> ranks(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      ranks[i] += sizes[j] < sizes[i] ? 1 : sizes[j] == sizes[i] ? 0.5 : 0;
    ranks[i] += 0.5;
  }
  const double total = static_cast<double>(n * (n + 1)) / 2;
  double seen = 0;
  std::size_t place = 0;
  for (const double d : differences) {
    if (d == 0) continue;
    if (d > 0) seen += ranks[place];
    ++place;
  }
  const double extreme = std::abs(seen - total / 2);
  int as_extreme = 0;
  for (unsigned signs = 0; signs < 1U << n; ++signs) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += (signs >> i & 1) != 0 ? ranks[i] : 0;
    if (std::abs(sum - total / 2) >= extreme - 1e-9) ++as_extreme;
  }
  return static_cast<double>(as_extreme) / (1U << n);
}

/// Simpson's rule on the density, from |t| to where it vanishes.
double student_by_integration(double t, int degrees) {
  const double nu = degrees;
  const double scale =
      std::exp(std::lgamma((nu + 1) / 2) - std::lgamma(nu / 2)) / std::sqrt(nu * std::acos(-1.0));
  const auto density = [&](double x) { return scale * std::pow(1 + x * x / nu, -(nu + 1) / 2); };
  const int steps = 20000;
  const double width = std::abs(t) / steps;
  double inside = 0;
  for (int i = 0; i < steps; ++i) {
    const double x = i * width;
    inside += width / 6 * (density(x) + 4 * density(x + width / 2) + density(x + width));
  }
  return 1 - 2 * inside;
}

TEST(SignTest, CountsTheTailsOfTheBinomialDistribution) {
  EXPECT_NEAR(sign_test(13, 2).p, 2 * (1 + 15 + 105) / 32768.0, 1e-12);  // Darwin's plants
  EXPECT_NEAR(sign_test(2, 13).p, sign_test(13, 2).p, 1e-15);
  EXPECT_EQ(sign_test(5, 5).p, 1);
  EXPECT_EQ(sign_test(0, 0).p, 1);
  EXPECT_NEAR(sign_test(10'100, 9'900).p, 0.159, 0.001);  // z = 199 / sqrt(20000)
}

TEST(Wilcoxon, GivesTheKnownValueOfDarwinsPlants) {
  const TestResult result = wilcoxon_signed_rank(kDarwin);
  EXPECT_EQ(result.statistic, 24);
  EXPECT_EQ(result.count, 15);
  EXPECT_DOUBLE_EQ(result.p, 0.041259765625);
}

TEST(Wilcoxon, SmallestPOfTenFoldsIsTwoInTwoToTheTenth) {
  const std::vector<double> all_better = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  EXPECT_DOUBLE_EQ(wilcoxon_signed_rank(all_better).p, 2.0 / 1024);
}

TEST(Wilcoxon, AgreesWithEnumerationWithTiesAndZeros) {
  Generator generator(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> differences;
    for (std::uint64_t i = 0, n = 1 + generator.below(10); i < n; ++i)
      differences.push_back(static_cast<double>(generator.below(9)) - 3);
    EXPECT_NEAR(wilcoxon_signed_rank(differences).p, wilcoxon_by_enumeration(differences), 1e-12);
  }
}

TEST(Wilcoxon, OfManyComesNearTheNormalDistribution) {
  Generator generator(2);
  std::vector<double> differences;
  double ranks = 0;
  for (int i = 1; i <= 400; ++i) {  // ranks are 1, 2, ...
    differences.push_back(generator.uniform() < 0.53 ? i : -i);
    ranks += differences.back() > 0 ? i : 0;
  }
  const double z = (ranks - 400 * 401 / 4.0) / std::sqrt(400 * 401 * 801 / 24.0);
  EXPECT_NEAR(wilcoxon_signed_rank(differences).p, std::erfc(std::abs(z) / std::sqrt(2.0)), 0.002);
}

TEST(Wilcoxon, NothingToTestGivesOne) {
  EXPECT_EQ(wilcoxon_signed_rank({}).p, 1);
  EXPECT_EQ(wilcoxon_signed_rank(std::vector<double>{0, 0}).p, 1);
  EXPECT_EQ(wilcoxon_signed_rank(std::vector<double>{0, 0}).count, 0);
}

TEST(PairedT, GivesTheKnownValueOfDarwinsPlants) {
  const TestResult result = paired_t(kDarwin);
  EXPECT_NEAR(result.statistic, 2.148, 5e-4);
  EXPECT_NEAR(result.p, 0.0497, 5e-5);
}

TEST(PairedT, EdgesAreDefined) {
  EXPECT_EQ(paired_t({}).p, 1);
  EXPECT_EQ(paired_t(std::vector<double>{3}).p, 1);
  EXPECT_EQ(paired_t(std::vector<double>{0, 0, 0}).p, 1);
  EXPECT_EQ(paired_t(std::vector<double>{0.1, 0.1, 0.1}).p, 0);
}

TEST(Student, AgreesWithTheTableAndWithIntegration) {
  EXPECT_NEAR(student_two_sided(12.706, 1), 0.05, 1e-5);
  EXPECT_NEAR(student_two_sided(4.303, 2), 0.05, 1e-5);
  EXPECT_NEAR(student_two_sided(3.250, 9), 0.01, 1e-5);
  for (const int degrees : {1, 2, 3, 4, 5, 9, 10, 29}) {
    for (const double t : {0.0, 0.3, -1.0, 2.5, 6.0})
      EXPECT_NEAR(student_two_sided(t, degrees), student_by_integration(t, degrees), 1e-9)
          << t << ", " << degrees;
  }
}

TEST(PText, HasFourDigitsAndABoundBelowThem) {
  EXPECT_EQ(p_text(0.002), "0.0020");
  EXPECT_EQ(p_text(0.0001), "0.0001");
  EXPECT_EQ(p_text(0.00009), "< 0.0001");
}

}  // namespace
}  // namespace hgnet
