#include "outlook.hpp"

#include <gmock/gmock.h>

#include "hgnet/config/model_table.hpp"
#include "hgnet/settings/shard.hpp"

namespace hgnet::app {
namespace {

using ::testing::HasSubstr;

PlannedFit fit_of(const std::string& dataset, const std::string& model, int fold,
                  std::int64_t epochs = 10) {
  PlannedFit fit;
  fit.config.dataset = dataset;
  fit.config.model = model;
  fit.config.network = model_defaults(model);
  fit.config.epochs = epochs;
  fit.folder = "nosuchfolder";
  fit.label = dataset + " " + model + " " + std::to_string(fold);
  fit.table = "table1";
  return fit;
}

TEST(Outlook, GrowsWithEpochsDataAndModel) {
  const double cost = cost_of(fit_of("ENZYMES", "gcn", 0));
  EXPECT_GT(cost, 0);
  EXPECT_DOUBLE_EQ(cost_of(fit_of("ENZYMES", "gcn", 0, 20)), 2 * cost);
  EXPECT_GT(cost_of(fit_of("COLLAB", "gcn", 0)), 5 * cost);
  EXPECT_GT(cost_of(fit_of("ENZYMES", "hgnet-edgepool", 0)), 2 * cost);
  EXPECT_DOUBLE_EQ(cost_of(fit_of("cc-grid16:matched", "gcn", 0)),
                   cost_of(fit_of("cc-grid16", "gcn", 0)));
  EXPECT_GT(cost_of(fit_of("cc-crossing32:4", "gcn", 0)), 0);
}

TEST(Outlook, EstimatesFitsOfWhichNoneIsDone) {
  const std::vector<PlannedFit> fits{fit_of("ENZYMES", "gcn", 0), fit_of("ENZYMES", "gcn", 1),
                                     fit_of("PROTEINS", "gcn", 0)};
  Outlook outlook(fits);
  EXPECT_EQ(outlook.fits(), 3);
  EXPECT_EQ(outlook.left().size(), 3U);
  EXPECT_GT(outlook.seconds_left(), 0);
  EXPECT_EQ(outlook.kinds_estimated(), 2);
  EXPECT_THAT(outlook.text(1), HasSubstr("0 of 3 fits done; roughly 0:"));
  EXPECT_THAT(outlook.text(1), HasSubstr("2 of 2 kinds of fits estimated from their size"));
}

TEST(Outlook, GoesByFitsOfTheSameKindAndElseByTheirSpeed) {
  const std::vector<PlannedFit> fits{fit_of("ENZYMES", "gcn", 0), fit_of("ENZYMES", "gcn", 1),
                                     fit_of("ENZYMES", "gcn", 2), fit_of("PROTEINS", "gcn", 0)};
  Outlook outlook(fits);
  outlook.count(fits[0], 100);
  const double other = 100 * cost_of(fits[3]) / cost_of(fits[0]);
  EXPECT_NEAR(outlook.seconds_left(), 2 * 100 + other, 1e-6);
  outlook.count(fits[3], 7);
  EXPECT_NEAR(outlook.seconds_left(), 2 * 100, 1e-6);
  EXPECT_EQ(outlook.text(2), "2 of 4 fits done; about 1:40 left with 2 jobs");
}

}  // namespace
}  // namespace hgnet::app
