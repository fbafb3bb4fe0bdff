// What own data need in training: encodings kept with a run, targets in their own units, and what
// models do not read.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "hgnet/config/model_table.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/settings/columns.hpp"
#include "hgnet/train/data_use.hpp"
#include "hgnet/train/input_store.hpp"
#include "hgnet/train/inputs.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

namespace hgnet {
namespace {

using test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;

/// Eight nodes on a path with a number, a colour with one cell missing, and a number to predict.
class OwnData : public testing::Test {
 protected:
  OwnData() {
    std::string nodes = "id,x,colour,label,split\n";
    std::string edges = "source,target,weight,road\n";
    const char* parts[] = {"train", "train", "train", "train", "val", "val", "test", "test"};
    for (int i = 0; i < 8; ++i) {
      nodes += "n" + std::to_string(i) + "," + std::to_string(1000 * i) + "," +
               (i == 5       ? ""
                : i % 2 == 0 ? "red"
                             : "blue") +
               "," + std::to_string(1e5 + 10.5 * i) + "," + parts[i] + "\n";
      if (i > 0)
        edges += "n" + std::to_string(i - 1) + ",n" + std::to_string(i) + "," +
                 (i == 4 ? "-1" : "2") + ",wide\n";
    }
    folder_.write("own/nodes.csv", nodes);
    folder_.write("own/edges.csv", edges);
    config_.dataset = (folder_.path() / "own").string();
    config_.standardise = true;
    config_.missing = Missing::kMean;
    config_.model = "gin";
    config_.network = model_defaults("gin");
  }

  std::shared_ptr<const FitInputs> inputs() {
    complete(config_, *store_.dataset(config_));
    return store_.inputs(config_);
  }

  test::TemporaryFolder folder_;
  InputStore store_;
  TrainConfig config_;
};

TEST_F(OwnData, IsEncodedByItsTrainingPart) {
  const auto whole = inputs();
  EXPECT_EQ(config_.network.inputs, 3) << "x, blue and red";
  const Encoding& encoding = whole->encoding();
  EXPECT_DOUBLE_EQ(encoding.nodes[0].standard.mean, 1500);
  EXPECT_FLOAT_EQ(static_cast<float>(encoding.targets[0].mean), 1e5F + 15.75F);
  config_.split = "folds:4";
  const auto folds = inputs();
  EXPECT_NE(folds->encoding(), encoding) << "other training nodes";
  EXPECT_EQ(store_.inputs(config_), folds);
}

TEST_F(OwnData, IsRefusedWithMissingCellsByDefault) {
  config_.missing = Missing::kError;
  EXPECT_THAT(error_of<InvalidDataset>([&] { inputs(); }),
              HasSubstr("feature column 'colour' has a missing cell, of node 'n5'"));
}

TEST_F(OwnData, PredictsInTheUnitsOfTheTargets) {
  const Objective& objective = inputs()->objective();
  const Standard standard = inputs()->encoding().targets.front();
  const std::vector<std::int64_t> samples{6, 7};
  const torch::Tensor logits = torch::tensor({0.5F, -1.0F}).view({2, 1});
  const torch::Tensor values =
      probabilities(logits, TargetKind::kRegression, inputs()->encoding().targets);
  const double off6 = values[0].item<double>() - (1e5 + 63);
  const double off7 = values[1].item<double>() - (1e5 + 73.5);
  EXPECT_NEAR(values[0].item<double>(), standard.mean + 0.5 * standard.deviation, 0.01);
  const Metrics metrics = objective.metrics(logits, samples);
  EXPECT_NEAR(metrics.at("mae"), (std::abs(off6) + std::abs(off7)) / 2, 0.02);
  EXPECT_NEAR(metrics.at("rmse"), std::sqrt((off6 * off6 + off7 * off7) / 2), 0.02);
  const double deviation = standard.deviation;
  EXPECT_NEAR(metrics.at("loss"), (off6 * off6 + off7 * off7) / 2 / (deviation * deviation), 0.01);
}

TEST_F(OwnData, KeepsItsEncodingWithTheRun) {
  const ColumnNames columns = ColumnNames::of(*store_.dataset(config_), inputs()->encoding());
  EXPECT_EQ(columns_from_json(to_json(columns), "columns.json"), columns);
  EXPECT_EQ(columns.encoding_for(*store_.dataset(config_)), columns.encoding);
  EXPECT_THAT(columns.outputs, ElementsAre("label"));
}

TEST_F(OwnData, ReadsRunsWithoutAnEncoding) {
  const ColumnNames old = columns_from_json(
      R"({"kind": "classes", "outputs": ["a"], "features": "numbers", "feature_names": ["x"],
          "first_label": 0})",
      "columns.json");
  const Dataset rows =
      encoded(*store_.dataset(config_), old.encoding_for(*store_.dataset(config_)));
  EXPECT_EQ(std::get<DenseRows>(rows.features).width, 1);
  EXPECT_EQ(std::get<DenseRows>(rows.features).values[7], 7000);
}

TEST_F(OwnData, RefusesDamagedEncodings) {
  std::string json = to_json(ColumnNames::of(*store_.dataset(config_), inputs()->encoding()));
  const std::size_t place = json.find("\"deviation\": ");
  json.insert(place + 13, "-");
  EXPECT_THAT(error_of<InvalidFile>([&] { columns_from_json(json, "columns.json"); }),
              HasSubstr("the deviation above 0"));
}

TEST_F(OwnData, TellsWhatAModelIgnores) {
  const Dataset& dataset = *store_.dataset(config_);
  EXPECT_THAT(ignored_by(model_defaults("gin"), dataset),
              ElementsAre("ignored: edge weights, which gin does not read",
                          "ignored: edge column 'road'; the setting edge-features = use takes it"));
  EXPECT_EQ(ignored_by(model_defaults("gcn"), dataset).size(), 1U);
}

TEST_F(OwnData, RefusesNegativeWeightsWhereTheyAreRead) {
  const Dataset& dataset = *store_.dataset(config_);
  EXPECT_NO_THROW(check_weights(model_defaults("gat"), dataset));
  EXPECT_EQ(error_of<InvalidDataset>([&] { check_weights(model_defaults("gcn"), dataset); }),
            "data set own: the edge between nodes 'n3' and 'n4' has the weight -1; gcn takes no "
            "negative weights");
  EXPECT_ANY_THROW(check_weights(model_defaults("hgnet-heavy-edge"), dataset));
}

}  // namespace
}  // namespace hgnet
