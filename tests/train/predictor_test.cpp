#include "hgnet/train/predictor.hpp"

#include <gmock/gmock.h>

#include "hgnet/core/atomic_file.hpp"
#include "hgnet/data/load.hpp"
#include "hgnet/data/split_choice.hpp"
#include "hgnet/models/archive.hpp"
#include "hgnet/train/inputs.hpp"
#include "hgnet/train/trained_fit.hpp"
#include "support/errors.hpp"
#include "train/path_run.hpp"

namespace hgnet {
namespace {

namespace fs = std::filesystem;
using test::error_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class PredictorTest : public test::PathRunTest {
 protected:
  /// The cells of the table of nodes, row-major.
  static std::vector<float> rows_of(const Dataset& dataset) {
    std::vector<float> rows;
    const auto& columns = std::get<ColumnRows>(dataset.features).columns;
    for (std::size_t v = 0; v < 24; ++v) {
      for (const Column& column : columns) rows.push_back(column.values[v]);
    }
    return rows;
  }
};

TEST_F(PredictorTest, PredictsAsTheModelDoes) {
  train("run", "hgnet-edgepool", 1);
  const Predictor predictor(folder.path() / "run");
  EXPECT_THAT(predictor.outputs(), ElementsAre("cat", "dog"));
  EXPECT_THAT(predictor.feature_names(), ElementsAre("height", "age"));
  const Dataset dataset = data("data");
  const Predictions predictions = predictor.predict(dataset);
  ASSERT_EQ(predictions.num_samples(), 24);

  const auto model = load_model(folder.path() / "run" / "best.safetensors");
  const torch::Tensor x = torch::tensor(rows_of(dataset)).view({24, 2});
  const torch::NoGradGuard no_grad;
  const torch::Tensor expected =
      model->forward(Input::of(model->prepare(dataset.graphs.front()), x)).softmax(1);
  for (int v = 0; v < 24; ++v) {
    for (int c = 0; c < 2; ++c)
      EXPECT_NEAR(predictions.row(v)[c], expected[v][c].item<float>(), 1e-6) << v;
    EXPECT_EQ(predictions.class_of(v),
              predictions.row(v)[1] > predictions.row(v)[0] ? "dog" : "cat");
  }
}

TEST_F(PredictorTest, AGraphAndRowsAreADataSet) {
  train("run", "gcn", 0, /*standardise=*/true);
  const Predictor predictor(folder.path() / "run");
  const Dataset dataset = data("data");
  const std::vector<float> rows = rows_of(dataset);
  EXPECT_EQ(predictor.predict(dataset.graphs.front(), rows).values,
            predictor.predict(dataset).values);
  EXPECT_THAT(error_of<Error>(
                  [&] { predictor.predict(dataset.graphs.front(), std::span(rows).first(24)); }),
              HasSubstr("24 feature values for 24 nodes; expected 2 each"));
}

TEST_F(PredictorTest, StandardisesAsTheFitDid) {
  train("run", "gcn", 0, /*standardise=*/true);
  const Dataset dataset = data("data");
  const Split split = choose_split(dataset, "folds:4", 0, 0);
  torch::Tensor x = torch::tensor(rows_of(dataset)).view({24, 2});
  const torch::Tensor train_rows = x.index_select(0, to_indices(split.train));
  x = (x - train_rows.mean(0)) / train_rows.std(0, /*unbiased=*/false);
  const auto model = load_model(folder.path() / "run" / "best.safetensors");
  const torch::NoGradGuard no_grad;
  const torch::Tensor expected =
      model->forward(Input::of(model->prepare(dataset.graphs.front()), x)).softmax(1);
  const Predictions predictions = Predictor(folder.path() / "run").predict(dataset);
  for (int v = 0; v < 24; ++v)
    EXPECT_NEAR(predictions.row(v)[1], expected[v][1].item<float>(), 1e-5) << v;
}

TEST_F(PredictorTest, FindsColumnsByName) {
  train("run", "gcn", 0);
  write("swapped", "id,age,height", [](int v) { return number(30 - v) + "," + number(v); });
  const Predictor predictor(folder.path() / "run");
  EXPECT_EQ(predictor.predict(data("swapped")).values, predictor.predict(data("data")).values);
}

TEST_F(PredictorTest, FoldsPredictTheMeanOfTheirModels) {
  for (int fold = 0; fold < 3; ++fold)
    train("run/fold-" + std::to_string(fold), "gcn", fold, /*standardise=*/true);
  const Predictor all(folder.path() / "run");
  ASSERT_EQ(all.num_models(), 3);
  const Predictions mean = all.predict(data("data"));
  std::vector<double> sum(mean.values.size());
  for (int fold = 0; fold < 3; ++fold) {
    const Predictions one =
        Predictor(folder.path() / "run" / ("fold-" + std::to_string(fold))).predict(data("data"));
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += one.values[i];
  }
  for (std::size_t i = 0; i < sum.size(); ++i) EXPECT_NEAR(mean.values[i], sum[i] / 3, 1e-6);
  EXPECT_THAT(error_of<Error>([&] { all.embed(data("data")); }), HasSubstr("of one model"));
}

// The targets of the folds' training parts have other means, by which each model learned.
TEST_F(PredictorTest, FoldsPredictNumbersEachByItsOwnStandard) {
  write("data", "id,height,age,label",
        [](int v) { return number(v) + "," + number(30 - v) + "," + number(v * v); });
  std::vector<double> sum(24);
  for (int fold = 0; fold < 2; ++fold) {
    const std::string run = "run/fold-" + std::to_string(fold);
    train(run, "gcn", fold, /*standardise=*/true);
    const Predictions one = Predictor(folder.path() / run).predict(data("data"));
    ASSERT_EQ(one.kind, TargetKind::kRegression);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += one.values[i];
  }
  const Predictions mean = Predictor(folder.path() / "run").predict(data("data"));
  for (std::size_t i = 0; i < sum.size(); ++i) EXPECT_NEAR(mean.values[i], sum[i] / 2, 1e-3);
}

TEST_F(PredictorTest, DifferentModelsHaveNoMean) {
  train("run/a", "gcn", 0);
  train("run/b", "gin", 0);
  EXPECT_THAT(error_of<Error>([&] { Predictor(folder.path() / "run"); }),
              ::testing::AllOf(HasSubstr("different models"), HasSubstr("model is \"gcn\" and")));
}

TEST_F(PredictorTest, EmbeddingsAreTheRowsOfNodes) {
  train("run", "gcn", 0);
  const Predictor predictor(folder.path() / "run");
  const Predictor::Embeddings rows = predictor.embed(data("data"));
  EXPECT_EQ(rows.width, 2);
  const Predictions predictions = predictor.predict(data("data"));
  for (int v = 0; v < 24; ++v) {
    const double odds = rows.values[2 * v + 1] - rows.values[2 * v];
    EXPECT_NEAR(predictions.row(v)[1], 1 / (1 + std::exp(-odds)), 1e-5);
  }
}

TEST_F(PredictorTest, TheSplitOfAFitIsKnownForItsOwnSamplesOnly) {
  train("run", "gcn", 2);
  const FitFolder fit = FitFolder::open(folder.path() / "run");
  write("copy", "id,age,height,label",
        [](int v) { return number(30 - v) + "," + number(v) + (v < 12 ? ",dog" : ",cat"); });
  write("other", "id,height,age", [](int v) { return number(v) + "," + number(v + 50); });
  Dataset copy = data("copy");
  match_to_fit(copy, fit);
  const FittedData fitted = fitted_data(fit, fit.config());
  EXPECT_EQ(split_within(fit, fit.config(), fitted, copy),
            choose_split(data("data"), "folds:4", 0, 2));
  Dataset other = data("other");
  match_to_fit(other, fit);
  EXPECT_EQ(split_within(fit, fit.config(), fitted, other), std::nullopt);
}

TEST_F(PredictorTest, SamplesAreRecognisedWhereverTheyStand) {
  train("run", "gcn", 2, true);
  const FitFolder fit = FitFolder::open(folder.path() / "run");
  const FittedData fitted = fitted_data(fit, fit.config());
  std::string nodes = "id,age,height\n";
  for (int v = 23; v >= 0; --v)
    nodes += std::to_string(v) + "," + number(30 - v) + "," + number(v) + "\n";
  folder.write("turned/nodes.csv", nodes + "24,1,1\n");
  folder.write("turned/edges.csv", test::content_of(folder.path() / "data/edges.csv"));
  Dataset turned = data("turned");
  match_to_fit(turned, fit);
  const Split own = choose_split(data("data"), "folds:4", 0, 2);
  const auto there = [](std::vector<std::int64_t> samples) {
    for (std::int64_t& sample : samples) sample = 23 - sample;
    std::sort(samples.begin(), samples.end());
    return samples;
  };
  EXPECT_EQ(split_within(fit, fit.config(), fitted, turned),
            (Split{there(own.train), there(own.val), there(own.test)}));
}

TEST_F(PredictorTest, AModelDoesNotBeginWithOneThatHasSeenItsTestSamples) {
  train("first", "gcn", 2);
  const FitFolder first = FitFolder::open(folder.path() / "first");
  TrainConfig config = first.config();
  config.init_from = first.path().string();
  const Dataset own = data("data");
  const std::vector<std::int64_t> same{2};
  check_start_is_new(first, config, own, same);
  const std::vector<std::int64_t> both{2, 3};
  EXPECT_THAT(error_of<Mismatch>([&] { check_start_is_new(first, config, own, both); }),
              HasSubstr("of the 6 test samples of fold 3; begin with a model of the same split"));
  fs::rename(folder.path() / "data", folder.path() / "gone");
  EXPECT_THAT(check_start_is_new(first, config, own, both), HasSubstr("cannot be read, so this"));
}

TEST_F(PredictorTest, WhatAFitBeganWithCountsAsItsOwn) {
  train("first", "gcn", 2);
  const FitFolder first = FitFolder::open(folder.path() / "first");
  PlannedFit second;
  second.config = first.config();
  second.config.split = "random:0.1,0.1,0.1";
  second.config.fold = -1;
  second.config.init_from = first.path().string();
  second.folder = folder.path() / "second";
  run_fit(second, 0, store, {});
  const FitFolder fit = FitFolder::open(second.folder);
  Dataset own = data("data");
  match_to_fit(own, fit);
  const auto seen = split_within(fit, fit.config(), fitted_data(fit, fit.config()), own);
  const Split before = choose_split(own, "folds:4", 0, 2);
  ASSERT_TRUE(seen);
  EXPECT_GE(seen->train.size(), before.train.size());
  EXPECT_TRUE(std::includes(seen->train.begin(), seen->train.end(), before.train.begin(),
                            before.train.end()));
  // A fit that begins with itself, and one whose start is gone.
  TrainConfig circle = fit.config();
  circle.init_from = fit.path().string();
  write_atomically(fit.path() / "config.toml", to_toml(circle));
  EXPECT_TRUE(split_within(fit, circle, fitted_data(fit, circle), own));
  circle.init_from = (folder.path() / "nosuch").string();
  EXPECT_TRUE(split_within(fit, circle, fitted_data(fit, circle), own));
}

TEST(UsedSamples, ValidationMustNotBeTrainedOnAndTestMustBeNew) {
  const Split fitted{{0, 1, 2}, {3, 4}, {5, 6, 7}};
  const auto used = [&](const Split& scored) {
    const UsedSamples counts = used_samples(fitted, scored);
    return std::pair(counts.val, counts.test);
  };
  EXPECT_EQ(used(fitted), std::pair(std::int64_t{0}, std::int64_t{0}));
  EXPECT_EQ(used({{}, {2, 3, 5}, {1, 4, 7}}), std::pair(std::int64_t{1}, std::int64_t{2}));
  // Trained on by one fit, and chosen by in another: one sample.
  EXPECT_EQ(used_samples({{0, 1}, {1}, {}}, {{}, {}, {1}}).test, 1);
}

}  // namespace
}  // namespace hgnet
