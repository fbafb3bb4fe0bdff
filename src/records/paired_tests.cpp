#include "hgnet/records/paired_tests.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>
#include <vector>

namespace hgnet {
namespace {

struct Ranked {
  double size;  // |difference|
  bool positive;
  int twice_rank;  // mean ranks of ties are halves
};

std::vector<Ranked> ranked(std::span<const double> differences) {
  std::vector<Ranked> items;
  for (const double d : differences) {
    if (d != 0) items.push_back({std::abs(d), d > 0, 0});
  }
  std::sort(items.begin(), items.end(),
            [](const Ranked& a, const Ranked& b) { return a.size < b.size; });
  for (std::size_t begin = 0, end = 0; begin < items.size(); begin = end) {
    while (end < items.size() && items[end].size == items[begin].size) ++end;
    for (std::size_t i = begin; i < end; ++i)
      items[i].twice_rank = static_cast<int>(begin + 1 + end);
  }
  return items;
}

/// P(sum <= twice_sum) if each rank is included with probability one half.
double exact_tail(const std::vector<Ranked>& items, int twice_sum) {
  std::vector<double> probability(twice_sum + 1, 0.0);
  probability[0] = 1;
  for (const Ranked& item : items) {
    for (int s = twice_sum; s >= 0; --s) {
      const double before = s >= item.twice_rank ? probability[s - item.twice_rank] : 0.0;
      probability[s] = 0.5 * (probability[s] + before);
    }
  }
  double sum = 0;
  for (const double p : probability) sum += p;
  return sum;
}

}  // namespace

TestResult sign_test(int wins, int losses) {
  const int count = wins + losses;
  const int fewer = std::min(wins, losses);
  double tail = 0;  // P(at most `fewer` of `count`), each with probability one half
  for (int k = 0; k <= fewer; ++k)
    tail += std::exp(std::lgamma(count + 1) - std::lgamma(k + 1) - std::lgamma(count - k + 1) -
                     count * std::numbers::ln2);
  return {static_cast<double>(fewer), std::min(1.0, 2 * tail), count};
}

TestResult wilcoxon_signed_rank(std::span<const double> differences) {
  const std::vector<Ranked> items = ranked(differences);
  int positive = 0;
  int negative = 0;
  for (const Ranked& item : items) (item.positive ? positive : negative) += item.twice_rank;
  const int smaller = std::min(positive, negative);
  TestResult result{0.5 * smaller, 1, static_cast<int>(items.size())};
  if (items.empty()) return result;
  result.p = std::min(1.0, 2 * exact_tail(items, smaller));
  return result;
}

TestResult paired_t(std::span<const double> differences) {
  const auto n = static_cast<int>(differences.size());
  TestResult result{0, 1, n};
  if (n < 2) return result;
  double mean = 0;
  for (const double d : differences) mean += d / n;
  double squares = 0;
  for (const double d : differences) squares += (d - mean) * (d - mean);
  if (std::all_of(differences.begin(), differences.end(),
                  [&](double d) { return d == differences.front(); })) {
    if (differences.front() == 0) return result;
    return {std::copysign(std::numeric_limits<double>::infinity(), mean), 0, n};
  }
  result.statistic = mean / std::sqrt(squares / (n - 1) / n);
  result.p = student_two_sided(result.statistic, n - 1);
  return result;
}

/// The finite series of Abramowitz and Stegun, 26.7.3 and 26.7.4, in the angle atan(t /
/// sqrt(degrees)).
double student_two_sided(double t, int degrees) {
  const double angle = std::atan(std::abs(t) / std::sqrt(static_cast<double>(degrees)));
  const double cosine = std::cos(angle);
  const bool odd = degrees % 2 == 1;
  double term = odd ? cosine : 1;
  double sum = degrees == 1 ? 0 : term;
  for (int k = odd ? 3 : 2; k < degrees; k += 2) {
    term *= cosine * cosine * (k - 1) / k;
    sum += term;
  }
  const double inside =
      odd ? 2 / std::numbers::pi * (angle + std::sin(angle) * sum) : std::sin(angle) * sum;
  return std::clamp(1 - inside, 0.0, 1.0);
}

std::string p_text(double p) {
  if (p < 1e-4) return "< 0.0001";
  char text[32];
  std::snprintf(text, sizeof text, "%.4f", p);
  return text;
}

}  // namespace hgnet
