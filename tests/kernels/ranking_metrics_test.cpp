#include <gmock/gmock.h>

#include <cmath>
#include <vector>

#include "hgnet/core/random.hpp"
#include "hgnet/kernels/metrics.hpp"

namespace hgnet {
namespace {

using Numbers = std::vector<double>;

/// Over all pairs of a positive and a negative example: in order 1, tied 1/2.
double auc_over_pairs(const Numbers& scores, const Numbers& labels) {
  double sum = 0;
  double pairs = 0;
  for (std::size_t p = 0; p < scores.size(); ++p) {
    for (std::size_t n = 0; n < scores.size(); ++n) {
      if (labels[p] != 1 || labels[n] != 0) continue;
      sum += scores[p] > scores[n] ? 1 : scores[p] == scores[n] ? 0.5 : 0;
      ++pairs;
    }
  }
  return sum / pairs;
}

/// The mean over positive examples of the precision among all that score at least as high.
double precision_over_positives(const Numbers& scores, const Numbers& labels) {
  double sum = 0;
  double positives = 0;
  for (std::size_t p = 0; p < scores.size(); ++p) {
    if (labels[p] != 1) continue;
    double hits = 0;
    double seen = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      if (std::isnan(labels[i]) || scores[i] < scores[p]) continue;
      hits += labels[i];
      ++seen;
    }
    sum += hits / seen;
    ++positives;
  }
  return sum / positives;
}

TEST(RankingMetrics, EqualTheirDefinitionsWithTiesAndMissingLabels) {
  Generator generator(1);
  for (int round = 0; round < 50; ++round) {
    Numbers scores{0.5, 0.5}, labels{1, 0};  // both labels occur
    for (int i = 0; i < 30; ++i) {
      scores.push_back(static_cast<double>(generator.below(8)));
      const std::uint64_t label = generator.below(3);
      labels.push_back(label == 2 ? NAN : static_cast<double>(label));
    }
    EXPECT_NEAR(*roc_auc(scores, labels), auc_over_pairs(scores, labels), 1e-12);
    EXPECT_NEAR(*average_precision(scores, labels), precision_over_positives(scores, labels),
                1e-12);
  }
}

TEST(RankingMetrics, NeedBothLabelsAndTasksWithoutThemDoNotCount) {
  EXPECT_EQ(roc_auc(Numbers{1, 2}, Numbers{1, 1}), std::nullopt);
  EXPECT_EQ(average_precision(Numbers{1, 2}, Numbers{0, NAN}), std::nullopt);
  // Row-major, two tasks: the first is in order, the second has one label only.
  const Numbers scores{1, 1, 2, 2}, labels{0, 1, 1, 1};
  EXPECT_EQ(mean_over_tasks(roc_auc, scores, labels, 2), 1.0);
}

}  // namespace
}  // namespace hgnet
