#include "hgnet/records/metrics.hpp"

#include <gmock/gmock.h>

#include "hgnet/records/spread.hpp"

namespace hgnet {
namespace {

using testing::ElementsAre;

TEST(MetricTable, KnowsWhichWayIsBetter) {
  for (const char* metric : {"rmse", "mae", "loss"}) EXPECT_TRUE(lower_is_better(metric)) << metric;
  for (const char* metric : {"accuracy", "macro_f1", "roc_auc", "average_precision", "hits"})
    EXPECT_FALSE(lower_is_better(metric)) << metric;
  EXPECT_THAT(metric_names(), ElementsAre("accuracy", "macro_f1", "roc_auc", "average_precision",
                                          "rmse", "mae", "r2", "loss"));
}

TEST(MetricTable, ShowsSharesInPercentAndTheRestAsItIs) {
  EXPECT_EQ(score_text("accuracy", 0.8154), "81.5");
  EXPECT_EQ(score_text("roc_auc", 0.76061), "76.06");
  EXPECT_EQ(score_text("rmse", 1.2345), "1.234");
  EXPECT_EQ(score_text("loss", 0.6931), "0.693");
  EXPECT_EQ(score_text("hits", 0.5), "50.00");
  EXPECT_EQ(shown_score("mae", 0.5), 0.5);
  EXPECT_EQ(shown_score("accuracy", 0.5), 50);
  EXPECT_EQ(score_with_unit("accuracy", 0.81538), "81.54 %");
  EXPECT_EQ(score_with_unit("loss", 0.69314), "0.6931");
}

TEST(SummaryText, HasADeviationOfSeveralValuesOnly) {
  EXPECT_EQ(summary_text("accuracy", summary_of({0.5, 0.75})), "62.50 % +- 17.68 %");
  EXPECT_EQ(summary_text("rmse", summary_of({1.5})), "1.5000");
}

TEST(MetricTable, LabelsSayTheUnit) {
  EXPECT_EQ(metric_label("accuracy"), "accuracy, %");
  EXPECT_EQ(metric_label("average_precision"), "average precision, %");
  EXPECT_EQ(metric_label("rmse"), "RMSE");
  EXPECT_EQ(metric_label("loss"), "loss");
  EXPECT_EQ(metric_label("hits"), "hits, %");
}

}  // namespace
}  // namespace hgnet
