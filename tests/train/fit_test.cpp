#include "hgnet/train/fit.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "support/errors.hpp"
#include "support/samples.hpp"
#include "train/fit_setting.hpp"

namespace hgnet {
namespace {

using test::error_of;
using test::fit_setting;
using test::FitSetting;
using test::make_fit;
using ::testing::HasSubstr;

/// All numbers except the times.
std::string numbers(const EpochRecord& record) {
  std::ostringstream text;
  text << std::hexfloat << record.epoch << " " << record.lr;
  for (const Metrics* part : {&record.train, &record.val, &record.test}) {
    for (const auto& [name, value] : *part) text << " " << name << " " << value;
  }
  return text.str();
}

std::vector<std::string> run_to_end(Fit& fit) {
  std::vector<std::string> lines;
  while (!fit.finished()) lines.push_back(numbers(*fit.run_epoch()));
  return lines;
}

double best_test(Fit& fit, const std::string& metric) {
  std::vector<EpochRecord> records;
  while (!fit.finished()) records.push_back(*fit.run_epoch());
  return records.at(fit.best_epoch() - 1).test.at(metric);
}

TEST(Fit, LearnsGraphs) {
  for (const std::string model :
       {"gcn", "gin", "hgnet-edgepool", "hgnet-louvain", "g-unet", "wl", "mlp"}) {
    Fit fit = make_fit(fit_setting(test::rings_and_stars(60), model, 30));
    EXPECT_GE(best_test(fit, "accuracy"), 0.99) << model;
  }
}

TEST(Fit, LearnsNodes) {
  for (const std::string model : {"gcn", "gat", "hgnet-louvain"}) {
    Fit fit = make_fit(fit_setting(test::communities(), model, 60));
    EXPECT_GE(best_test(fit, "accuracy"), 0.7) << model;  // chance: a third
  }
}

TEST(Fit, LearnsSeveralLabelsAndNumbers) {
  Fit labels = make_fit(fit_setting(test::multi_label_graphs(120), "gin", 30));
  EXPECT_GE(best_test(labels, "roc_auc"), 0.9);
  Fit values = make_fit(fit_setting(test::regression_graphs(60), "gin", 60));
  EXPECT_LE(best_test(values, "rmse"), 0.15);  // their standard deviation is 0.35
}

TEST(Fit, RepeatsBitForBit) {
  for (const std::string model : {"gin", "hgnet-edgepool"}) {
    const FitSetting s = fit_setting(test::rings_and_stars(40), model, 4);
    Fit a = make_fit(s);
    Fit b = make_fit(s);
    EXPECT_EQ(run_to_end(a), run_to_end(b));
    FitSetting other = s;
    other.config.seed = 6;
    Fit c = make_fit(other);
    Fit d = make_fit(s);
    EXPECT_NE(run_to_end(c), run_to_end(d));
  }
}

/// Stops after `stop` batches, saves, and continues in a new fit.
TEST(Fit, SavingAndRestoringChangesNothing) {
  for (const std::string model : {"gcn", "hgnet-edgepool", "wl"}) {
    const FitSetting s = fit_setting(test::rings_and_stars(40), model, 3);
    Fit undisturbed = make_fit(s);
    const std::vector<std::string> expected = run_to_end(undisturbed);
    for (int stop = 1; stop <= 14; ++stop) {  // an epoch has 5 batches
      std::vector<std::string> lines;
      auto fit = std::make_unique<Fit>(make_fit(s));
      int batches = 0;
      while (!fit->finished()) {
        const auto record =
            fit->run_epoch([&](std::int64_t, std::int64_t, double) { return ++batches != stop; });
        if (record) {
          lines.push_back(numbers(*record));
        } else {
          const std::string bytes = fit->save();
          fit = std::make_unique<Fit>(make_fit(s));
          fit->restore(bytes, "checkpoint");
        }
      }
      EXPECT_EQ(lines, expected) << model << " stopped after batch " << stop;
      EXPECT_EQ(fit->best_epoch(), undisturbed.best_epoch());
      const auto a = fit->best_model()->parameters();
      const auto b = undisturbed.best_model()->parameters();
      for (std::size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(a[i].equal(b[i]));
    }
  }
}

TEST(Fit, WholeGraphsRestoreAsWell) {
  const FitSetting s = fit_setting(test::communities(), "gcn", 6);
  Fit undisturbed = make_fit(s);
  const std::vector<std::string> expected = run_to_end(undisturbed);
  Fit first = make_fit(s);
  std::vector<std::string> lines;
  for (int i = 0; i < 3; ++i) lines.push_back(numbers(*first.run_epoch()));
  EXPECT_FALSE(first.run_epoch([](std::int64_t, std::int64_t, double) { return false; }));
  Fit second = make_fit(s);
  second.restore(first.save(), "checkpoint");
  for (const std::string& line : run_to_end(second)) lines.push_back(line);
  EXPECT_EQ(lines, expected);
}

TEST(Fit, RefusesOtherCheckpoints) {
  Fit gcn = make_fit(fit_setting(test::communities(), "gcn", 3));
  Fit gin = make_fit(fit_setting(test::communities(), "gin", 3));
  EXPECT_THAT(error_of<InvalidFile>([&] { gin.restore(gcn.save(), "there"); }),
              HasSubstr("there: not a checkpoint of this fit: the settings have changed (now, and "
                        "when it began): model is \"gin\" and \"gcn\""));
  const std::string bytes = gcn.save();
  EXPECT_THAT(
      error_of<InvalidFile>([&] { gcn.restore(bytes.substr(0, bytes.size() / 2), "there"); }),
      HasSubstr("there: "));
}

TEST(Fit, BestIsTheFirstOfEquals) {
  FitSetting s = fit_setting(test::rings_and_stars(60), "gin", 20);
  Fit fit = make_fit(s);
  std::vector<double> vals;
  while (!fit.finished()) vals.push_back(fit.run_epoch()->val.at("accuracy"));
  const auto best = std::max_element(vals.begin(), vals.end());
  ASSERT_GT(std::count(vals.begin(), vals.end(), *best), 1) << "no ties to choose from";
  EXPECT_EQ(fit.best_epoch(), best - vals.begin() + 1);
}

TEST(Fit, LessLossIsBetter) {
  FitSetting s = fit_setting(test::rings_and_stars(60), "gin", 10);
  s.config.metric = "loss";
  Fit fit = make_fit(s);
  std::vector<double> vals;
  while (!fit.finished()) vals.push_back(fit.run_epoch()->val.at("loss"));
  EXPECT_EQ(fit.best_epoch(), std::min_element(vals.begin(), vals.end()) - vals.begin() + 1);
}

TEST(Fit, StopsWhenPatienceRunsOut) {
  FitSetting s = fit_setting(test::rings_and_stars(60), "gin", 200);
  s.config.patience = 4;
  Fit fit = make_fit(s);
  run_to_end(fit);
  EXPECT_LT(fit.epochs_done(), 200);
  EXPECT_EQ(fit.epochs_done() - fit.best_epoch(), 4);
}

TEST(Fit, StopsAfterTheEpochInWhichItsTimeIsOver) {
  FitSetting setting = fit_setting(test::communities(), "gcn", 5);
  setting.config.max_hours = 1e-12;
  Fit hurried = make_fit(setting);
  while (!hurried.finished()) hurried.run_epoch();
  EXPECT_EQ(hurried.epochs_done(), 1);
  setting.config.max_hours = 12;
  Fit fit = make_fit(setting);
  while (!fit.finished()) fit.run_epoch();
  EXPECT_EQ(fit.epochs_done(), 5);
}

TEST(Fit, EvaluatingTakesOfItsTimeAsWell) {
  FitSetting setting = fit_setting(test::communities(), "gcn", 5);
  Fit first = make_fit(setting);
  first.run_epoch();
  setting.config.max_hours = (first.train_seconds() + first.evaluate_seconds() / 2) / 3600;
  Fit hurried = make_fit(setting);
  hurried.restore(first.save(), "checkpoint");
  EXPECT_TRUE(hurried.finished());
  setting.config.max_hours = (first.train_seconds() + 2 * first.evaluate_seconds()) / 3600;
  Fit fit = make_fit(setting);
  fit.restore(first.save(), "checkpoint");
  EXPECT_FALSE(fit.finished());
}

TEST(Fit, LearningRateDecays) {
  FitSetting s = fit_setting(test::communities(), "gcn", 5);
  s.config.lr_decay = 0.5;
  s.config.lr_decay_every = 2;
  Fit fit = make_fit(s);
  std::vector<double> rates;
  while (!fit.finished()) rates.push_back(fit.run_epoch()->lr / s.config.lr);
  EXPECT_THAT(rates, ::testing::ElementsAre(1, 1, 0.5, 0.5, 0.25));
}

TEST(Fit, DecayOfTheFirstLayerOnly) {
  FitSetting s = fit_setting(test::communities(), "gcn", 1);
  s.config.network.dropout = 0;
  s.config.weight_decay = 1000;  // dominates every gradient: the step is the sign of the weight
  s.config.decay_on = DecayOn::kFirstLayer;
  Fit fit = make_fit(s);
  const auto before = make_model(s.config.network, s.config.seed);
  fit.run_epoch();
  const auto sign_agrees = [&](const char* name) {
    const torch::Tensor old = before->named_parameters()[name];
    const torch::Tensor step = old - fit.model().named_parameters()[name];
    return step.sign().eq(old.sign()).all().item<bool>();
  };
  EXPECT_TRUE(sign_agrees("network.block0.layer.weight"));
  EXPECT_FALSE(sign_agrees("network.block1.layer.weight"));
}

TEST(Fit, WithoutValidationTheLastEpochCounts) {
  Dataset dataset = test::communities();
  dataset.splits["own"].val.clear();
  Fit fit = make_fit(fit_setting(std::move(dataset), "gcn", 3));
  run_to_end(fit);
  EXPECT_EQ(fit.best_epoch(), 3);
}

TEST(Fit, NamesThePlaceOfANumberThatIsNotFinite) {
  FitSetting s = fit_setting(test::rings_and_stars(40), "gcn", 50);
  s.config.lr = 1e30;
  Fit fit = make_fit(s);
  const std::string message = error_of<NotFinite>([&] { run_to_end(fit); });
  EXPECT_THAT(message, HasSubstr("epoch 1, batch "));
  EXPECT_THAT(message, HasSubstr("network."));
}

TEST(Fit, AnAnswerThatIsNotFiniteIsNoResult) {
  FitSetting s =
      fit_setting(test::communities(), "gcn", 1);  // no second step whose loss would show it
  s.config.lr = 1e38;
  Fit fit = make_fit(s);
  const std::string message = error_of<NotFinite>([&] { run_to_end(fit); });
  EXPECT_THAT(message, HasSubstr("the model's answer for node "));
  EXPECT_THAT(message, HasSubstr("the first value that is not finite is in "));
  EXPECT_EQ(fit.best_epoch(), 0);
}

TEST(Fit, EvaluatingNamesSampleAndParameter) {
  const FitSetting s = fit_setting(test::rings_and_stars(20), "gin", 1);
  Model model(s.config.network, 1);
  {
    const torch::NoGradGuard no_grad;
    model.parameters().back().fill_(NAN);
  }
  const std::vector<std::int64_t> samples{3, 4};
  const std::string message = error_of<NotFinite>([&] { evaluate(model, *s.inputs, samples, 1); });
  EXPECT_THAT(message, HasSubstr("the model's answer for graph 3 is not finite"));
  EXPECT_THAT(message, HasSubstr("is in parameter "));
  EXPECT_EQ(evaluate(model, *s.inputs, samples, 1, NonFinite::kAllow).size(0), 2);
}

TEST(Fit, NeedsAMetricThatValidationDefines) {
  FitSetting s = fit_setting(test::rings_and_stars(40), "gin", 1);
  s.config.metric = "roc_auc";
  EXPECT_EQ(error_of<Error>([&] { make_fit(s); }), "no error");
  Dataset dataset = test::rings_and_stars(40);
  Fit fit = make_fit(s);
  for (const std::int64_t sample : fit.split().val) dataset.classes[sample] = 1;
  const auto folds = [&](Dataset changed) {  // the folds are drawn from the classes
    changed.splits["own"] = fit.split();
    FitSetting other = fit_setting(std::move(changed), "gin", 1);
    other.config.split = "own";
    other.config.fold = -1;
    other.config.metric = "roc_auc";
    return error_of<Error>([&] { make_fit(other); });
  };
  EXPECT_THAT(folds(dataset), HasSubstr("have only one label, which leaves roc_auc undefined"));
  for (const std::int64_t sample : fit.split().val) dataset.classes[sample] = kUnlabelled;
  EXPECT_THAT(folds(dataset),
              HasSubstr("validation samples of rings-and-stars (split own) has a label"));
}

TEST(Fit, NeedsLabelsToLearnFrom) {
  Dataset dataset = test::communities();
  for (const std::int64_t sample : dataset.splits["own"].train)
    dataset.classes[sample] = kUnlabelled;
  EXPECT_THAT(error_of<Error>([&] { make_fit(fit_setting(std::move(dataset), "gcn", 3)); }),
              HasSubstr("no training sample of communities (split own) has a label"));
}

TEST(Fit, ModelsOfOnePreparationShareInputs) {
  EXPECT_EQ(preparation_of(model_defaults("gcn")),
            preparation_of(model_defaults("hgnet-edgepool")));
  ModelConfig louvain = model_defaults("hgnet-louvain");
  const Preparation one = preparation_of(louvain);
  EXPECT_NE(one, preparation_of(model_defaults("gcn")));
  louvain.hidden = 64;
  EXPECT_EQ(preparation_of(louvain), one);
  louvain.levels = 2;
  EXPECT_NE(preparation_of(louvain), one);
}

}  // namespace
}  // namespace hgnet
