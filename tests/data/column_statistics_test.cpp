#include "hgnet/data/column_statistics.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace hgnet {
namespace {

using testing::ElementsAre;

/// A triangle; numbers 1, missing and 4.
Dataset three_nodes() {
  Dataset dataset;
  dataset.name = "three";
  dataset.graphs.push_back(Graph::from_edges(3, {.source = {0, 1, 0},
                                                 .target = {1, 2, 2},
                                                 .weight = {2, 4, 9},
                                                 .rows = {0, 1, kMissingCell},
                                                 .row_width = 1}));
  dataset.node_offsets = {0, 3};
  dataset.edge_columns = {{"kind", ColumnKind::kCategory, {"far", "near"}}};
  dataset.features = ColumnRows{{{{"x"}, {1, kMissingCell, 4}},
                                 {{"colour", ColumnKind::kCategory, {"blue", "red"}}, {1, 1, 0}},
                                 {{"empty"}, {kMissingCell, kMissingCell, kMissingCell}}}};
  dataset.target_kind = TargetKind::kRegression;
  dataset.num_tasks = 2;
  dataset.targets = {10, 1, 30, NAN, 50, 3};
  dataset.target_names = {"price", "size"};
  return dataset;
}

TEST(ColumnStatistics, OfNodesCountedByHand) {
  const auto columns = node_statistics(three_nodes());
  ASSERT_EQ(columns.size(), 3U);
  EXPECT_EQ(columns[0].name, "x");
  EXPECT_EQ(columns[0].cells, 3);
  EXPECT_EQ(columns[0].missing, 1);
  EXPECT_EQ(columns[0].low, 1);
  EXPECT_EQ(columns[0].high, 4);
  EXPECT_DOUBLE_EQ(columns[0].mean, 2.5);
  EXPECT_DOUBLE_EQ(columns[0].deviation, 1.5);
  EXPECT_THAT(columns[1].counts, ElementsAre(1, 2));
  EXPECT_EQ(columns[1].missing, 0);
  EXPECT_EQ(columns[2].missing, 3);
  EXPECT_EQ(columns[2].high, 0);
}

TEST(ColumnStatistics, AnEdgeCountsOnce) {
  const auto columns = edge_statistics(three_nodes());
  ASSERT_EQ(columns.size(), 2U);
  EXPECT_EQ(columns[0].name, "weight");
  EXPECT_EQ(columns[0].cells, 3);
  EXPECT_DOUBLE_EQ(columns[0].mean, 5);
  EXPECT_EQ(columns[0].low, 2);
  EXPECT_EQ(columns[0].high, 9);
  EXPECT_EQ(columns[1].cells, 3);
  EXPECT_EQ(columns[1].missing, 1);
  EXPECT_THAT(columns[1].counts, ElementsAre(1, 1));
}

TEST(ColumnStatistics, OfTargetsTaskByTask) {
  const auto tasks = target_statistics(three_nodes());
  ASSERT_EQ(tasks.size(), 2U);
  EXPECT_EQ(tasks[0].name, "price");
  EXPECT_DOUBLE_EQ(tasks[0].mean, 30);
  EXPECT_EQ(tasks[1].missing, 1);
  EXPECT_DOUBLE_EQ(tasks[1].mean, 2);
  Dataset classes = three_nodes();
  classes.target_kind = TargetKind::kClasses;
  EXPECT_TRUE(target_statistics(classes).empty());
}

}  // namespace
}  // namespace hgnet
