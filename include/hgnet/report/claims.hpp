#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hgnet/config/reading.hpp"
#include "hgnet/records/paired_tests.hpp"

namespace hgnet {

enum class Verdict { kHolds, kFails, kTie, kNotEnoughRuns };

/// "holds", "does not hold", "tie", "not enough runs".
std::string_view verdict_text(Verdict verdict);
/// The same with " (quick or shortened fits)" added if it is based on reduced fits.
std::string verdict_text(Verdict verdict, bool reduced);

inline constexpr int kTestedPairs = 5;         // from this many on, the paired t-test decides
inline constexpr double kSignificance = 0.05;  // a difference is significant if p is below this

/// Differences between paired scores, in points, compared with a bound.
struct Comparison {
  int pairs = 0;
  double difference = 0;  // their mean
  double bound = 0;
  TestResult wilcoxon;  // of the differences minus the bound
  TestResult t;
  /// Of a single pair, where it is known.
  std::optional<double> standard_error = {};

  /// Whether the difference is clearly different from the bound: p < 0.05 or, with fewer than 5
  /// pairs, more than one standard error between them.
  bool told_apart() const;
  Verdict above() const;
  Verdict below() const;
};

Comparison compare(std::span<const double> differences, double bound = 0);
/// Of a single pair, with the standard error of its difference.
Comparison compare_one(double difference, double standard_error, double bound);
/// All data sets have the same weight: if one has fewer fits, each of them counts more.
Comparison compare_by_dataset(const std::vector<std::vector<double>>& differences, double bound);

/// A check on one model, data set or graph.
struct ClaimPart {
  std::string subject;
  Verdict verdict = Verdict::kNotEnoughRuns;
  std::string numbers;                   // the numbers behind the verdict
  std::optional<Comparison> comparison;  // where scores are compared
};

/// A statement made precise. It holds if at least `needed` parts hold, and fails if so many parts
/// fail that this number cannot be reached. Ties count neither way; if they leave the outcome open,
/// the check is a tie.
struct ClaimCheck {
  std::string statement;
  std::string sentence;  // quoted from the paper
  std::string rule;      // with its threshold
  std::vector<ClaimPart> parts;
  std::size_t needed = 0;
  bool reduced = false;  // based on quick or shortened fits

  std::size_t count(Verdict verdict) const;
  /// Whether there are scores to compare for one of its parts.
  bool compares() const;
  Verdict verdict() const;
  /// "holds, 3 of 4 (needed 2)"; where runs are missing, also what the others say.
  std::string outcome() const;
};

/// A claim of the paper, on the fits of one reading. It fails if one check fails and holds if all
/// checks hold; otherwise it is open as long as one of them is.
struct Claim {
  int number = 0;
  std::string title;
  std::string statement;
  std::vector<ClaimCheck> checks;
  std::optional<Reading> reading = {};  // none: the claim is not about fits

  Verdict verdict() const;
  /// Whether the verdict depends on quick or shortened fits.
  bool reduced() const;
  /// "1. Citation networks, as run: holds".
  std::string heading() const;
};

}  // namespace hgnet
