#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "hgnet/core/error.hpp"
#include "hgnet/data/encoding.hpp"
#include "support/errors.hpp"

namespace hgnet {
namespace {

using test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;

/// Four nodes on a path; the numbers of the first three are 1, 2, 6.
Dataset four_nodes() {
  Dataset dataset;
  dataset.name = "four";
  dataset.graphs.push_back(Graph::from_edges(4, {.source = {0, 1, 2},
                                                 .target = {1, 2, 3},
                                                 .weight = {},
                                                 .rows = {0, 1, 1, 3, kMissingCell, 5},
                                                 .row_width = 2}));
  dataset.node_offsets = {0, 4};
  dataset.edge_columns = {{"kind", ColumnKind::kCategory, {"far", "near"}}, {"length"}};
  dataset.features =
      ColumnRows{{{{"x"}, {1, 2, 6, 100}},
                  {{"kind", ColumnKind::kCategory, {"blue", "red"}}, {0, 1, 1, kMissingCell}},
                  {{"truth", ColumnKind::kBoolean}, {1, 0, 0, kMissingCell}}}};
  dataset.target_kind = TargetKind::kRegression;
  dataset.num_tasks = 1;
  dataset.targets = {100, 300, NAN, 7};
  return dataset;
}

constexpr std::int64_t kTrain[] = {0, 1, 2};

std::vector<float> rows_of(const Dataset& dataset) {
  return std::get<DenseRows>(dataset.features).values;
}

TEST(Encoding, StandardisesNumbersByTheTrainingPart) {
  const Dataset dataset = four_nodes();
  const Encoding encoding = fit_encoding(dataset, kTrain, {true, Missing::kMean});
  // The mean of 1, 2, 6 is 3, their variance (4 + 1 + 9) / 3.
  EXPECT_DOUBLE_EQ(encoding.nodes[0].standard.mean, 3);
  EXPECT_DOUBLE_EQ(encoding.nodes[0].standard.deviation, std::sqrt(14.0 / 3));
  EXPECT_EQ(encoding.nodes[1].standard, Standard());
  EXPECT_EQ(encoding.nodes[2].standard, Standard());
  EXPECT_EQ(encoding.targets, (std::vector<Standard>{{200, 100}}));
  const Dataset result = encoded(dataset, encoding);
  validate(result);
  EXPECT_EQ(result.num_features(), encoded_node_width(dataset, Missing::kMean));
  EXPECT_EQ(result.target_standards, encoding.targets);
  const float scale = std::sqrt(14.0F / 3);
  EXPECT_THAT(rows_of(result),
              testing::Pointwise(testing::FloatEq(),
                                 std::vector<float>{-2 / scale, 1, 0, 1,  //
                                                    -1 / scale, 0, 1, 0,  //
                                                    3 / scale, 0, 1, 0,   //
                                                    97 / scale, 1 / 3.0F, 2 / 3.0F, 1 / 3.0F}));
}

TEST(Encoding, MarksMissingCells) {
  const Dataset dataset = four_nodes();
  const Dataset result =
      encoded(dataset, fit_encoding(dataset, kTrain, {false, Missing::kIndicator}));
  EXPECT_EQ(result.num_features(), 6);
  EXPECT_EQ(result.num_features(), encoded_node_width(dataset, Missing::kIndicator));
  const std::vector<float> rows = rows_of(result);
  EXPECT_THAT(std::vector(rows.begin(), rows.begin() + 6), ElementsAre(1, 1, 0, 0, 1, 0));
  EXPECT_EQ(rows[3 * 6 + 3], 1);
  EXPECT_EQ(rows[3 * 6 + 5], 1);
}

TEST(Encoding, EncodesEdges) {
  const Dataset dataset = four_nodes();
  const Dataset result = encoded(dataset, fit_encoding(dataset, kTrain, {true, Missing::kMean}));
  validate(result);
  EXPECT_EQ(result.graphs[0].edge_row_width(), 3);
  EXPECT_EQ(encoded_edge_width(dataset, Missing::kMean), 3);
  // Lengths 1, 3, 5, each in two directions: mean 3, variance 8 / 3.
  const float one = 2 / std::sqrt(8.0F / 3);
  EXPECT_THAT(
      result.graphs[0].edge_rows(),
      testing::Pointwise(testing::FloatEq(), std::vector<float>{1, 0, -one,                //
                                                                1, 0, -one, 0, 1, 0,       //
                                                                0, 1, 0, 0.5F, 0.5F, one,  //
                                                                0.5F, 0.5F, one}));
}

TEST(Encoding, KnowsCategoriesOfEdgesByTheirNames) {
  const Dataset dataset = four_nodes();
  const Encoding encoding = fit_encoding(dataset, kTrain, {false, Missing::kMean});
  Dataset other = dataset;
  other.edge_columns = {{"length"}, {"kind", ColumnKind::kCategory, {"near", "new"}}};
  other.graphs[0] = Graph::from_edges(4, {.source = {0, 1, 2},
                                          .target = {1, 2, 3},
                                          .weight = {},
                                          .rows = {1, 0, 2, 1, kMissingCell, kMissingCell},
                                          .row_width = 2});
  // near; another one; missing: far and near are as frequent, and the mean length is 3.
  EXPECT_THAT(encoded(other, encoding).graphs[0].edge_rows(),
              ElementsAre(0, 1, 1, 0, 1, 1, 0, 0, 2, 0, 0, 2, 0.5F, 0.5F, 3, 0.5F, 0.5F, 3));
}

TEST(Encoding, RefusesMissingCellsUnlessToldOtherwise) {
  const Dataset dataset = four_nodes();
  EXPECT_EQ(
      error_of<InvalidDataset>([&] { encoded(dataset, fit_encoding(dataset, kTrain, {})); }),
      "data set four: feature column 'kind' has a missing cell, of node 3; training with missing = "
      "mean or indicator fills missing cells in");
}

TEST(Encoding, AppliesToOtherDataOfTheSameColumns) {
  const Dataset dataset = four_nodes();
  Encoding encoding = fit_encoding(dataset, kTrain, {true, Missing::kMean});
  encoding.edges.clear();
  Dataset other = four_nodes();
  other.features = ColumnRows{{{{"extra"}, {1, 1, 1, 1}},
                               {{"truth"}, {0, 0, 1, 1}},
                               {{"kind", ColumnKind::kCategory, {"green", "red"}}, {0, 1, 0, 1}},
                               {{"x"}, {3, 3, 3, kMissingCell}}}};
  const Dataset result = encoded(other, encoding);
  EXPECT_THAT(rows_of(result), ElementsAre(0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 1));
  EXPECT_THAT(
      result.notes,
      ElementsAre("ignored: 1 of the categories of feature column 'kind', such as 'green', which "
                  "the model was not trained on",
                  "ignored: feature column 'extra', which the model was not trained on"));
  std::get<ColumnRows>(other.features).columns[3].name = "y";
  EXPECT_THAT(error_of<InvalidDataset>([&] { encoded(other, encoding); }),
              HasSubstr("there is no feature column 'x'"));
  other.features = ColumnRows{{{{"x", ColumnKind::kCategory, {"a"}}, {0, 0, 0, 0}}}};
  EXPECT_THAT(error_of<InvalidDataset>([&] { encoded(other, encoding); }),
              HasSubstr("feature column 'x' has categories such as 'a'; expected numbers"));
}

TEST(Encoding, KnowsCategoriesThatLookLikeNumbers) {
  Dataset dataset = four_nodes();
  dataset.features = ColumnRows{{{{"code", ColumnKind::kCategory, {"07", "A"}}, {0, 1, 1, 0}}}};
  Encoding encoding = fit_encoding(dataset, kTrain, {});
  encoding.edges.clear();
  dataset.features = ColumnRows{{{{"code"}, {7, 8, 7, 7}}}};
  EXPECT_THAT(rows_of(encoded(dataset, encoding)), ElementsAre(1, 0, 0, 0, 1, 0, 1, 0));
}

TEST(Encoding, KeepsAConstantColumn) {
  Dataset dataset = four_nodes();
  dataset.features = ColumnRows{{{{"x"}, {5, 5, 5, 6}}}};
  Encoding encoding = fit_encoding(dataset, kTrain, {true, Missing::kError});
  encoding.edges.clear();
  EXPECT_THAT(rows_of(encoded(dataset, encoding)), ElementsAre(0, 0, 0, 1));
}

}  // namespace
}  // namespace hgnet
