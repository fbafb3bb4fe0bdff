#include "hgnet/train/objective.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "hgnet/train/inputs.hpp"
#include "support/errors.hpp"
#include "support/samples.hpp"

namespace hgnet {
namespace {

using test::error_of;
using ::testing::HasSubstr;

std::vector<std::int64_t> indices(std::vector<std::int64_t> samples) { return samples; }

Dataset four_classes_samples() {
  Dataset dataset = test::communities();
  dataset.classes[3] = kUnlabelled;
  return dataset;
}

TEST(Objective, CrossEntropyOfLabelledSamples) {
  const Objective objective(four_classes_samples());
  const torch::Tensor logits =
      torch::tensor({{2.0F, 1.0F, 0.0F}, {0.0F, 0.0F, 5.0F}, {1.0F, 1.0F, 1.0F}});
  // Samples 0 (class a), 3 (no class), 20 (class b).
  const double first = -2 + std::log(std::exp(2) + std::exp(1) + 1);
  const double last = std::log(3.0);
  EXPECT_NEAR(objective.loss(logits, indices({0, 3, 20})).item<double>(), (first + last) / 2, 1e-6);
  EXPECT_EQ(objective.num_targets(indices({0, 3, 20})), 2);
  EXPECT_EQ(objective.loss(logits.slice(0, 1, 2), indices({3})).item<double>(), 0);
}

TEST(Objective, AccuracyAndMacroF1CountedByHand) {
  const Objective objective(four_classes_samples());
  // Truth a a b b c c; predicted a b b b a c. F1: a 1/2, b 4/5, c 2/3.
  const torch::Tensor logits = torch::eye(3).index_select(0, torch::tensor({0, 1, 1, 1, 0, 2}));
  const Metrics metrics =
      objective.metrics(logits, std::vector<std::int64_t>{0, 1, 20, 21, 40, 41});
  EXPECT_DOUBLE_EQ(metrics.at("accuracy"), 4.0 / 6);
  EXPECT_NEAR(metrics.at("macro_f1"), (0.5 + 0.8 + 2.0 / 3) / 3, 1e-12);
  EXPECT_EQ(metrics.count("roc_auc"), 0);
}

TEST(Objective, OfEqualLogitsTheFirstClassIsPredicted) {
  const Objective objective(four_classes_samples());
  const torch::Tensor logits = torch::tensor({{1.0F, 1.0F, 0.0F}});
  EXPECT_EQ(objective.metrics(logits, std::vector<std::int64_t>{0}).at("accuracy"), 1);
  EXPECT_EQ(objective.metrics(logits, std::vector<std::int64_t>{20}).at("accuracy"), 0);
  const torch::Tensor later = torch::tensor({{0.0F, 1.0F, 1.0F}});
  EXPECT_EQ(objective.metrics(later, std::vector<std::int64_t>{20}).at("accuracy"), 1);
}

TEST(Objective, MacroF1IsOverTheClassesThatOccur) {
  const Objective objective(four_classes_samples());
  // Truth a a b; predicted a b b: class c occurs in neither. F1: a 2/3, b 2/3.
  const torch::Tensor logits = torch::eye(3).index_select(0, torch::tensor({0, 1, 1}));
  EXPECT_NEAR(objective.metrics(logits, std::vector<std::int64_t>{0, 1, 20}).at("macro_f1"),
              2.0 / 3, 1e-12);
}

TEST(Objective, TwoClassesHaveAnRocAuc) {
  const Objective objective(test::rings_and_stars(8));
  // Score differences of samples 0, 2 (rings): 0.1, 0.4; of 1, 3 (stars): 0.35, 0.8. Three of four
  // pairs are in order.
  const torch::Tensor logits =
      torch::tensor({{2.0F, 2.1F}, {0.0F, 0.35F}, {-3.0F, -2.6F}, {0.0F, 0.8F}});
  EXPECT_NEAR(objective.metrics(logits, std::vector<std::int64_t>{0, 1, 2, 3}).at("roc_auc"), 0.75,
              1e-12);
}

TEST(Objective, MissingLabelsAreSkipped) {
  const Dataset dataset = test::multi_label_graphs(10);
  const Objective objective(dataset);
  torch::manual_seed(1);
  const torch::Tensor logits = torch::randn({10, 2});
  double sum = 0;
  double right = 0;
  double count = 0;
  for (int i = 0; i < 20; ++i) {
    const double target = dataset.targets[i];
    if (std::isnan(target)) continue;
    const double z = logits[i / 2][i % 2].item<double>();
    sum += std::log1p(std::exp(-z)) + (1 - target) * z;
    right += (z > 0) == (target > 0.5) ? 1 : 0;
    ++count;
  }
  std::vector<std::int64_t> all{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  EXPECT_EQ(count, 16);
  EXPECT_NEAR(objective.loss(logits, indices(all)).item<double>(), sum / count, 1e-6);
  const Metrics metrics = objective.metrics(logits, all);
  EXPECT_NEAR(metrics.at("accuracy"), right / count, 1e-12);
  EXPECT_EQ(metrics.count("average_precision"), 1);
}

TEST(Objective, ALabelIsPredictedFromEvenOddsOn) {
  Dataset dataset = test::multi_label_graphs(2);
  std::fill(dataset.targets.begin(), dataset.targets.end(), 1.0F);
  const Objective objective(dataset);
  const torch::Tensor logits = torch::full({2, dataset.num_tasks}, 0.25F);
  EXPECT_EQ(objective.metrics(logits, std::vector<std::int64_t>{0, 1}).at("accuracy"), 1);
  EXPECT_EQ(objective.metrics(-logits, std::vector<std::int64_t>{0, 1}).at("accuracy"), 0);
}

TEST(Objective, NoGradientFromMissingLabels) {
  const Dataset dataset = test::multi_label_graphs(5);
  const Objective objective(dataset);
  const torch::Tensor logits = torch::zeros({5, 2}, torch::requires_grad());
  objective.loss(logits, indices({0, 1, 2, 3, 4})).backward();
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(logits.grad()[i / 2][i % 2].item<double>() == 0, std::isnan(dataset.targets[i])) << i;
}

TEST(Objective, RegressionErrors) {
  const Dataset dataset = test::regression_graphs(4);  // targets 0.2 0.5 0.2 0.6
  const Objective objective(dataset);
  const torch::Tensor logits = torch::tensor({0.2F, 0.8F, 0.2F, 0.2F}).unsqueeze(1);
  const Metrics metrics = objective.metrics(logits, std::vector<std::int64_t>{0, 1, 2, 3});
  EXPECT_NEAR(metrics.at("mae"), 0.7 / 4, 1e-6);
  EXPECT_NEAR(metrics.at("rmse"), std::sqrt((0.09 + 0.16) / 4), 1e-6);
  EXPECT_NEAR(metrics.at("loss"), 0.25 / 4, 1e-6);
}

TEST(Objective, R2IsTheShareOfTheSpreadThatIsExplained) {
  const Objective objective(test::regression_graphs(4));  // targets 0.2 0.5 0.2 0.6, mean 0.375
  const std::vector<std::int64_t> all{0, 1, 2, 3};
  const torch::Tensor logits = torch::tensor({0.2F, 0.8F, 0.2F, 0.2F}).unsqueeze(1);
  const double spread = 2 * 0.175 * 0.175 + 0.125 * 0.125 + 0.225 * 0.225;
  EXPECT_NEAR(objective.metrics(logits, all).at("r2"), 1 - 0.25 / spread, 1e-6);
  // Samples 0 and 2 have the same target: no spread, no R2.
  const std::vector<std::int64_t> equal{0, 2};
  EXPECT_EQ(objective.metrics(logits.slice(0, 0, 2), equal).count("r2"), 0);
}

TEST(Objective, R2IsTheMeanOverTheTargetsThatDiffer) {
  Dataset dataset = test::regression_graphs(2);
  dataset.num_tasks = 3;
  dataset.targets = {0, 7, 1, 2, 7, 3};  // the second one is the same for both samples
  const torch::Tensor logits = torch::tensor({{0.0F, 7.0F, 1.0F}, {1.0F, 7.0F, 3.0F}});
  const Metrics metrics = Objective(dataset).metrics(logits, std::vector<std::int64_t>{0, 1});
  EXPECT_NEAR(metrics.at("r2"), ((1 - 1.0 / 2) + 1) / 2, 1e-6);
}

TEST(Objective, TheBaselineOfClassesIsTheMajorityOfTheTrainingSamples) {
  const Objective objective(four_classes_samples());
  // Training a b b and one without a class; scored a b b b c.
  const torch::Tensor row = objective.constant_row(std::vector<std::int64_t>{0, 3, 20, 21});
  const Metrics metrics = objective.baseline(row, std::vector<std::int64_t>{1, 22, 23, 24, 41});
  EXPECT_DOUBLE_EQ(metrics.at("accuracy"), 3.0 / 5);
  EXPECT_NEAR(metrics.at("macro_f1"), (2 * 3.0 / 8) / 3, 1e-12);
}

TEST(Objective, TheBaselineOfNumbersIsTheMeanOfTheTrainingTargets) {
  const Objective objective(test::regression_graphs(4));
  const torch::Tensor row = objective.constant_row(std::vector<std::int64_t>{0, 1});
  const Metrics metrics = objective.baseline(row, std::vector<std::int64_t>{2, 3});
  EXPECT_NEAR(metrics.at("mae"), (0.15 + 0.25) / 2, 1e-6);  // mean 0.35, targets 0.2 and 0.6
  EXPECT_NEAR(metrics.at("rmse"), std::sqrt((0.15 * 0.15 + 0.25 * 0.25) / 2), 1e-6);
}

TEST(Objective, TheBaselineOfLabelsIsTheMoreFrequentValue) {
  Dataset dataset = test::multi_label_graphs(4);
  dataset.targets = {1, 0, 1, NAN, 0, 0, 1, 1};
  const Objective objective(dataset);
  const torch::Tensor row = objective.constant_row(std::vector<std::int64_t>{0, 1, 2});
  const Metrics metrics = objective.baseline(row, std::vector<std::int64_t>{3});
  EXPECT_DOUBLE_EQ(metrics.at("accuracy"), 0.5);  // predicted yes, no; true yes, yes
}

TEST(Objective, ConfusionsOfLabelsLeaveOutWhatIsMissing) {
  Dataset dataset = test::multi_label_graphs(4);
  dataset.targets = {1, 0, 1, NAN, 0, 0, 1, 1};
  const torch::Tensor logits = torch::tensor({{2.0F, 1.0F}, {-1.0F, 1.0F}, {1.0F, 3.0F}});
  const auto labels =
      Objective(dataset).label_confusions(logits, std::vector<std::int64_t>{0, 1, 3});
  ASSERT_EQ(labels.size(), 2U);
  // By truth and guess: the first label is yes yes yes, and yes no yes is predicted.
  EXPECT_EQ(labels[0].at(1, 1), 2);
  EXPECT_EQ(labels[0].at(1, 0), 1);
  EXPECT_EQ(labels[0].at(0, 1), 0);
  // The second is no, nothing, yes; yes is predicted.
  EXPECT_EQ(labels[1].at(0, 1), 1);
  EXPECT_EQ(labels[1].at(1, 1), 1);
  EXPECT_EQ(labels[1].at(0, 0) + labels[1].at(1, 0), 0);
}

TEST(Objective, BalancedClassesHaveTheSameSumOfWeights) {
  const Objective objective(four_classes_samples());
  // One a, three b, no c, one without a class.
  const torch::Tensor weights =
      objective.balanced_weights(std::vector<std::int64_t>{0, 3, 20, 21, 22});
  EXPECT_NEAR(weights[0].item<double>(), 2, 1e-6);
  EXPECT_NEAR(weights[1].item<double>(), 2.0 / 3, 1e-6);
  EXPECT_NEAR(weights[2].item<double>(), 1, 1e-6);
  // The weighted mean: (2 * l(0) + 2/3 * l(20)) / (2 + 2/3).
  const torch::Tensor logits = torch::tensor({{2.0F, 1.0F, 0.0F}, {1.0F, 1.0F, 1.0F}});
  const double first = -2 + std::log(std::exp(2) + std::exp(1) + 1);
  const double second = std::log(3.0);
  EXPECT_NEAR(objective.loss(logits, indices({0, 20}), weights).item<double>(),
              (2 * first + second * 2 / 3) / (2 + 2.0 / 3), 1e-6);
}

TEST(Objective, BalancedLabelsWeighAYesByTheNos) {
  Dataset dataset = test::multi_label_graphs(4);
  dataset.targets = {1, 1, 0, 1, 0, NAN, 0, 1};
  const Objective objective(dataset);
  const torch::Tensor weights = objective.balanced_weights(std::vector<std::int64_t>{0, 1, 2, 3});
  EXPECT_NEAR(weights[0].item<double>(), 3, 1e-6);
  EXPECT_NEAR(weights[1].item<double>(), 1, 1e-6);  // no sample says no
  const torch::Tensor logits = torch::zeros({2, 2});
  // Samples 0 (yes, yes) and 1 (no, yes): log 2 each, the first yes three times.
  EXPECT_NEAR(objective.loss(logits, indices({0, 1}), weights).item<double>(),
              std::log(2.0) * 6 / 4, 1e-6);
}

TEST(Objective, ConfusionCountsTruthAgainstGuess) {
  const Objective objective(four_classes_samples());
  const torch::Tensor logits = torch::eye(3).index_select(0, torch::tensor({0, 1, 1, 1, 0, 2}));
  const Confusion confusion =
      objective.confusion(logits, std::vector<std::int64_t>{0, 3, 20, 21, 40, 41});
  EXPECT_EQ(confusion.at(0, 0), 1);
  EXPECT_EQ(confusion.at(0, 1), 0);  // sample 3 has no class
  EXPECT_EQ(confusion.at(1, 1), 2);
  EXPECT_EQ(confusion.at(2, 0), 1);
  EXPECT_EQ(confusion.at(2, 2), 1);
}

TEST(Objective, MissingNumbersCountNeitherInTheLossNorInTheErrors) {
  Dataset dataset = test::regression_graphs(4);
  dataset.targets = {0.2F, NAN, 0.2F, NAN};
  const Objective objective(dataset);
  const torch::Tensor logits = torch::tensor({0.5F, 9.0F, 0.2F, 9.0F}).unsqueeze(1);
  EXPECT_NEAR(objective.loss(logits, indices({0, 1, 2, 3})).item<double>(), 0.09 / 2, 1e-6);
  const Metrics metrics = objective.metrics(logits, std::vector<std::int64_t>{0, 1, 2, 3});
  EXPECT_NEAR(metrics.at("loss"), 0.09 / 2, 1e-6);
  EXPECT_NEAR(metrics.at("mae"), 0.3 / 2, 1e-6);
}

TEST(Objective, LogitsThatAreNotFiniteHaveNoScores) {
  const std::vector<std::int64_t> samples{0, 1, 2, 3};
  for (const float odd : {NAN, INFINITY, -INFINITY}) {
    torch::Tensor logits = torch::zeros({4, 2});
    logits[2][1] = odd;
    for (const auto& [name, value] : Objective(test::rings_and_stars(8)).metrics(logits, samples))
      EXPECT_TRUE(std::isnan(value)) << name << " with " << odd;
  }
}

TEST(Objective, RankingsNeedBothLabels) {
  const Objective objective(test::rings_and_stars(8));
  const std::vector<std::int64_t> rings{0, 2, 4};
  EXPECT_FALSE(objective.defines("roc_auc", rings));
  EXPECT_TRUE(objective.defines("accuracy", rings));
  EXPECT_TRUE(objective.defines("roc_auc", std::vector<std::int64_t>{0, 1}));
  EXPECT_FALSE(objective.defines("loss", {}));
}

TEST(Objective, NamesItsMetrics) {
  EXPECT_THAT(error_of<Error>([] { Objective(test::communities()).check_metric("acuracy"); }),
              HasSubstr("did you mean accuracy"));
  EXPECT_THAT(error_of<Error>([] { Objective(test::communities()).check_metric("rmse"); }),
              HasSubstr("unknown metric"));
}

TEST(Objective, NoSamplesNoMetrics) {
  EXPECT_TRUE(Objective(test::communities()).metrics(torch::empty({0, 3}), {}).empty());
}

}  // namespace
}  // namespace hgnet
