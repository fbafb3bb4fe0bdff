#pragma once

#include <span>
#include <string>
#include <vector>

#include "hgnet/graph/graph.hpp"
#include "hgnet/report/claims.hpp"
#include "hgnet/report/results.hpp"

namespace hgnet {

// What the paper's words mean, in points.
inline constexpr double kClosePoints = 2;    // "very similar", "competitive"
inline constexpr double kSlightPoints = 3;   // below it "slightly behind", above "clearly lower"
inline constexpr double kNothingPoints = 1;  // "brings nothing" is a gain below this
inline constexpr double kALotPoints = 2;     // "remarkably beneficial"
inline constexpr double kFailsBelow = 60;    // "fails" where chance gives 50
/// On each data set, that all models of a comparison have.
inline constexpr int kEnoughFits = 3;
/// "O(N)": up to this times N, and so on; and how that factor may grow from the smallest grid to the largest.
inline constexpr double kSizeFactor = 4;
inline constexpr double kGrowthFactor = 1.25;

/// Claims 1 to 6, over full fits, or over quick or shortened ones where full ones allow no comparison; never over a mix
/// of both. Scores are those of the seeds and folds that all models of a comparison have.
std::vector<Claim> check_result_claims(const Results& results);

/// A graph on which the sizes of hierarchies are measured.
struct SizeSubject {
  std::string name;
  Graph graph;
};

/// Claim 7, on hierarchies of full depth over these graphs. The grids among them, from the smallest to the largest,
/// show growth.
Claim check_size_claim(std::span<const SizeSubject> subjects);

/// Grids of 16x16 to 64x64 and a path of 1024 nodes.
std::vector<SizeSubject> default_size_subjects();

}  // namespace hgnet
