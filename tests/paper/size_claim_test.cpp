#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "hgnet/graph/generators.hpp"
#include "hgnet/paper/claims.hpp"

namespace hgnet {
namespace {

using testing::HasSubstr;

/// A star of 40 nodes, of which every level contracts one edge, next to a path: the longer the
/// path, the smaller the hierarchy relative to the graph.
Graph star_and_path(std::int64_t path) {
  constexpr std::int64_t kStar = 40;
  EdgeList list;
  for (std::int64_t node = 1; node < kStar + path; ++node) {
    if (node == kStar) continue;
    list.source.push_back(node < kStar ? 0 : node - 1);
    list.target.push_back(node);
  }
  return Graph::from_edges(kStar + path, list);
}

/// The closest that a number comes to a threshold on either side, with matching verdicts.
struct Closest {
  double above = 1e9;
  double below = 1e9;

  void add(double value, double threshold, Verdict verdict) {
    const double beyond = value - threshold;
    if (std::abs(beyond) < 0.006) return;  // numbers are rounded to two digits
    EXPECT_EQ(verdict, beyond > 0 ? Verdict::kFails : Verdict::kHolds) << value;
    (beyond > 0 ? above : below) = std::min(beyond > 0 ? above : below, std::abs(beyond));
  }
};

TEST(SizeClaim, HoldsOnGridsAndAPath) {
  const std::vector<SizeSubject> subjects = {{"grid of 8x8", grid_graph(8, 8)},
                                             {"grid of 24x24", grid_graph(24, 24)},
                                             {"path of 500", path_graph(500)}};
  const Claim result = check_size_claim(subjects);
  EXPECT_EQ(result.verdict(), Verdict::kHolds);
  ASSERT_EQ(result.checks.size(), 6U);
  EXPECT_EQ(result.checks[0].parts.size(), 6U);   // three graphs, two coarsenings
  EXPECT_EQ(result.checks[5].parts.size(), 10U);  // five quantities, two coarsenings
  EXPECT_THAT(result.checks[4].parts[0].numbers, HasSubstr("in the graph alone 14"));
}

TEST(SizeClaim, FailsOnAStarWhoseMatchingsAreSingleEdges) {
  const std::vector<SizeSubject> subjects = {{"star", star_and_path(0)}};
  const Claim result = check_size_claim(subjects);
  EXPECT_EQ(result.verdict(), Verdict::kFails);
  EXPECT_EQ(result.checks[0].parts[0].verdict, Verdict::kFails);  // 40 + 39 + 38 + ... nodes
  EXPECT_THAT(result.checks[0].parts[0].numbers, HasSubstr("820, 20.50 N"));
}

TEST(SizeClaim, FourTimesIsTheLimit) {
  Closest closest;
  for (std::int64_t path = 350; path < 550; path += 5) {
    const std::vector<SizeSubject> subjects = {{"star and path", star_and_path(path)}};
    const ClaimPart part = check_size_claim(subjects).checks[0].parts[0];
    closest.add(std::stod(part.numbers.substr(part.numbers.find(", ") + 2)), 4, part.verdict);
  }
  EXPECT_LT(closest.above, 0.05);
  EXPECT_LT(closest.below, 0.05);
}

TEST(SizeClaim, AQuarterMoreIsTheLimitOfGrowth) {
  Closest closest;
  const Graph first = star_and_path(500);
  for (std::int64_t path = 250; path < 450; path += 5) {
    const std::vector<SizeSubject> subjects = {{"grid, small", first},
                                               {"grid, large", star_and_path(path)}};
    const ClaimPart part = check_size_claim(subjects).checks[5].parts[0];  // "3.90 -> 4.80 N"
    const double before = std::stod(part.numbers);
    const double after = std::stod(part.numbers.substr(part.numbers.find("-> ") + 3));
    closest.add(after / before, 1.25, part.verdict);
  }
  EXPECT_LT(closest.above, 0.02);
  EXPECT_LT(closest.below, 0.02);
}

}  // namespace
}  // namespace hgnet
