#include "hgnet/settings/shard.hpp"

#include <gmock/gmock.h>

#include <map>
#include <numeric>

#include "hgnet/paper/plan.hpp"

namespace hgnet {
namespace {

std::vector<PlannedFit> plan() {
  PaperPlanOptions options;
  options.quick = true;
  options.out = "nosuchfolder";
  return plan_tables(options);
}

TEST(Shard, EveryFitIsInOnePart) {
  const std::vector<PlannedFit> fits = plan();
  for (const int count : {1, 3, 8}) {
    std::map<std::string, int> seen;
    for (int number = 1; number <= count; ++number) {
      for (const PlannedFit& fit : fits_of({number, count}, fits)) ++seen[fit.folder.string()];
    }
    EXPECT_EQ(seen.size(), fits.size());
    for (const auto& [folder, times] : seen) EXPECT_EQ(times, 1) << folder;
  }
}

TEST(Shard, PartsCostAboutTheSame) {
  const std::vector<PlannedFit> fits = plan();
  double heaviest = 0;
  for (const PlannedFit& fit : fits) heaviest = std::max(heaviest, cost_of(fit));
  std::vector<double> costs;
  for (int number = 1; number <= 4; ++number) {
    const std::vector<PlannedFit> part = fits_of({number, 4}, fits);
    costs.push_back(
        std::accumulate(part.begin(), part.end(), 0.0,
                        [](double sum, const PlannedFit& fit) { return sum + cost_of(fit); }));
  }
  const auto [least, most] = std::ranges::minmax(costs);
  EXPECT_LE(most - least, heaviest);
}

/// Machines have their data and results in different places, and differ in what is done.
TEST(Shard, PartsAreTheSameWhereverTheyRun) {
  std::vector<PlannedFit> here = plan();
  std::vector<PlannedFit> there = here;
  for (PlannedFit& fit : there) {
    fit.config.root = "/other/data";
    fit.config.threads = 7;
    fit.folder = "elsewhere" / fit.folder;
  }
  const auto labels = [](const std::vector<PlannedFit>& fits) {
    std::vector<std::string> result;
    for (const PlannedFit& fit : fits) result.push_back(fit.table + fit.label);
    return result;
  };
  EXPECT_EQ(labels(fits_of({2, 5}, here)), labels(fits_of({2, 5}, there)));
}

}  // namespace
}  // namespace hgnet
