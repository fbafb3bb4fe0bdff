#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hgnet/graph/graph.hpp"
#include "hgnet/report/results.hpp"

namespace hgnet {

enum class Verdict { kHolds, kFails, kNotEnoughRuns };

/// "holds", "does not hold", "not enough runs".
std::string_view verdict_text(Verdict verdict);
/// With " (quick or shortened runs)" behind it where it rests on reduced runs.
std::string verdict_text(Verdict verdict, bool reduced);

/// A check on one data set, model or graph.
struct ClaimPart {
  std::string subject;
  Verdict verdict = Verdict::kNotEnoughRuns;
  std::string numbers;                   // what the verdict rests on
  std::optional<Comparison> comparison;  // where two models are compared
  std::string metric;                    // of the comparison
};

/// A statement made precise. It holds when at least `needed` parts do, fails when that can no longer be reached.
struct ClaimCheck {
  std::string statement;
  std::string rule;  // with its thresholds
  std::vector<ClaimPart> parts;
  std::size_t needed = 0;
  bool reduced = false;  // it rests on quick or shortened runs

  std::size_t holding() const;
  Verdict verdict() const;
};

/// A claim of the paper. Holds when all checks do, fails when one does.
struct Claim {
  int number = 0;
  std::string title;
  std::string statement;
  std::vector<ClaimCheck> checks;

  Verdict verdict() const;
  /// Whether the verdict would not stand without quick or shortened runs.
  bool reduced() const;
};

/// A graph on which the sizes of hierarchies are measured.
struct SizeSubject {
  std::string name;
  Graph graph;
};

// Thresholds, in points of a percentage.
inline constexpr double kClosePoints = 2;  // "close together", "recovers"
inline constexpr double kSlightPoints =
    3;  // "slightly behind" is up to this, "clearly lower" from this on
inline constexpr double kNothingPoints = 1;  // "brings nothing" is a gain below this
inline constexpr double kALotPoints = 2;     // "helps a lot"
inline constexpr double kFailsBelow = 60;  // accuracy of a model that "fails" where chance gives 50
inline constexpr int kEnoughRuns =
    3;  // that all models of a comparison have in common, as the paper has for citation networks; of reduced runs: 1
inline constexpr double kSizeFactor = 4;  // "O(N)": up to this times N, and so on
inline constexpr double kGrowthFactor =
    1.25;  // by which that factor may grow from the smallest grid to the largest

/// Claims 1 to 6, over full runs, or over quick or shortened ones where full ones say nothing; never over a mix of both. Means
/// are over the seeds and folds that all models of a comparison have.
std::vector<Claim> check_result_claims(const Results& results);

/// Claim 7, on hierarchies of full depth over these graphs. The grids among them, from the smallest to the largest,
/// show growth.
Claim check_size_claim(std::span<const SizeSubject> subjects);

/// Grids of 16x16 to 64x64 and a path of 1024 nodes.
std::vector<SizeSubject> default_size_subjects();

}  // namespace hgnet
