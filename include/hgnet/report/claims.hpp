#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hgnet/report/paired_tests.hpp"

namespace hgnet {

enum class Verdict { kHolds, kFails, kTie, kNotEnoughRuns };

/// "holds", "does not hold", "tie", "not enough runs".
std::string_view verdict_text(Verdict verdict);
/// With " (quick or shortened fits)" behind it where it rests on reduced fits.
std::string verdict_text(Verdict verdict, bool reduced);

inline constexpr int kTestedPairs = 5;         // from so many on the paired t-test decides
inline constexpr double kSignificance = 0.05;  // its p below which a difference is told apart

/// Differences between scores that belong together, in points, held against a bound.
struct Comparison {
  int pairs = 0;
  double difference = 0;  // their mean
  double bound = 0;
  TestResult wilcoxon;  // of the differences less the bound
  TestResult t;

  /// Whether the difference can be told from the bound: p < 0.05, or with fewer than 5 pairs more than one standard
  /// error between them.
  bool told_apart() const;
  Verdict above() const;
  Verdict below() const;
};

Comparison compare(std::span<const double> differences, double bound = 0);

/// A check on one model, data set or graph.
struct ClaimPart {
  std::string subject;
  Verdict verdict = Verdict::kNotEnoughRuns;
  std::string numbers;                   // what the verdict rests on
  std::optional<Comparison> comparison;  // where scores are compared
};

/// A statement made precise. It holds when at least `needed` parts do and fails when so many fail that this cannot be
/// reached. Ties count neither way: where they leave it open the check is a tie.
struct ClaimCheck {
  std::string statement;
  std::string sentence;  // of the paper
  std::string rule;      // with its threshold
  std::vector<ClaimPart> parts;
  std::size_t needed = 0;
  bool reduced = false;  // it rests on quick or shortened fits

  std::size_t count(Verdict verdict) const;
  Verdict verdict() const;
};

/// A claim of the paper. Fails when one check does and holds when all do; else it is open as long as one of them is.
struct Claim {
  int number = 0;
  std::string title;
  std::string statement;
  std::vector<ClaimCheck> checks;

  Verdict verdict() const;
  /// Whether the verdict would not stand without quick or shortened fits.
  bool reduced() const;
};

}  // namespace hgnet
