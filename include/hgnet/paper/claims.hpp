#pragma once

#include <span>
#include <string>
#include <vector>

#include "hgnet/graph/graph.hpp"
#include "hgnet/report/claims.hpp"
#include "hgnet/report/results.hpp"

namespace hgnet {

// What the paper's wording means, in points.
inline constexpr double kClosePoints = 2;    // "very similar", "competitive"
inline constexpr double kSlightPoints = 3;   // below: "slightly behind", above: "clearly lower"
inline constexpr double kNothingPoints = 1;  // "does not help": a gain below this
inline constexpr double kALotPoints = 2;     // "remarkably beneficial"
inline constexpr double kChance = 50;        // of two labels
inline constexpr double kFailsBelow = 60;    // "fails", where chance level is 50
/// Fits that all models of a comparison must have in common on each data set.
inline constexpr int kEnoughFits = 3;
/// "O(N)" means up to this many times N, and so on; the second number is how much that factor may
/// grow from the smallest grid to the largest.
inline constexpr double kSizeFactor = 4;
inline constexpr double kGrowthFactor = 1.25;

/// Claims 1 to 6, each for the fits of the paper as written and, if there are any, right after it
/// for those of it as run; a fit that is the same in both counts in both. Checked on full fits, or
/// on quick or shortened ones where full fits allow no comparison; never on a mix of both. Compares
/// the seeds and folds that all models of a comparison have.
std::vector<Claim> check_result_claims(const Results& results);

/// What the table on range says, in the same form, numbered on from the paper's claims. One fold of
/// each data set is enough there, and each data set has its own verdict.
std::vector<Claim> check_range_findings(const Results& results);

/// A graph on which the sizes of hierarchies are measured.
struct SizeSubject {
  std::string name;
  Graph graph;
};

/// Claim 7, checked on hierarchies of full depth over these graphs. The grids among them, from the
/// smallest to the largest, show growth.
Claim check_size_claim(std::span<const SizeSubject> subjects);

/// Grids of 16x16 to 64x64 and a path of 1024 nodes.
std::vector<SizeSubject> default_size_subjects();

}  // namespace hgnet
