#include "hgnet/train/recalibrate.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "hgnet/nn/tail.hpp"
#include "support/samples.hpp"
#include "train/fit_setting.hpp"

namespace hgnet {
namespace {

std::vector<TailImpl*> norms_in(const Model& model) {
  std::vector<TailImpl*> norms;
  for (const auto& module : model.modules(/*include_self=*/false))
    if (auto* tail = dynamic_cast<TailImpl*>(module.get())) norms.push_back(tail);
  return norms;
}

/// With one batch of all samples the statistics are that batch's, so evaluation computes what
/// training does.
TEST(Recalibrate, OneBatchGivesItsOwnStatistics) {
  test::FitSetting setting = test::fit_setting(test::rings_and_stars(12), "hgnet-edgepool", 1);
  setting.config.network.dropout = 0;
  Model model(setting.config.network, 3);
  ASSERT_TRUE(has_running_statistics(model));
  std::vector<std::int64_t> all(12);
  std::iota(all.begin(), all.end(), 0);
  recalibrate(model, *setting.inputs, all, 12);
  EXPECT_FALSE(model.is_training());
  const torch::Tensor evaluated = evaluate(model, *setting.inputs, all, 12);
  const Input whole = to_input(setting.inputs->source().join(all));
  model.train();
  const torch::Tensor trained = model.forward(whole).detach();
  // Running variances are of samples, n / (n - 1) times the batch's own.
  EXPECT_TRUE(evaluated.allclose(trained, 1e-2, 1e-2));
}

/// The mean over the batches, whatever was there before, and training goes on with the usual
/// momentum.
TEST(Recalibrate, IsTheMeanOverBatches) {
  test::FitSetting setting = test::fit_setting(test::rings_and_stars(12), "hgnet-louvain", 1);
  setting.config.network.dropout = 0;
  Model model(setting.config.network, 3);
  TailImpl& first = *norms_in(model).front();
  torch::Tensor mean = torch::zeros_like(first.running_mean);
  std::vector<std::int64_t> all(12);
  std::iota(all.begin(), all.end(), 0);
  Generator order(0);
  const auto plan = plan_batches(all, 5, &order);
  for (const auto& samples : plan) {
    const torch::NoGradGuard no_grad;
    first.running_mean.zero_();
    model.train();
    model.forward(to_input(setting.inputs->source().join(samples)));
    mean += first.running_mean / kNormMomentum / static_cast<double>(plan.size());
  }
  first.running_mean.fill_(17);
  recalibrate(model, *setting.inputs, all, 5);
  EXPECT_TRUE(first.running_mean.allclose(mean, 1e-4, 1e-5));
  EXPECT_EQ(first.momentum, kNormMomentum);
}

TEST(Recalibrate, AFitTellsBothScores) {
  const test::FitSetting setting =
      test::fit_setting(test::rings_and_stars(30), "hgnet-edgepool", 2);
  Fit fit = test::make_fit(setting);
  EXPECT_TRUE(fit.recalibrated().empty()) << "there is no best epoch yet";
  const std::vector<EpochRecord> epochs = {*fit.run_epoch(), *fit.run_epoch()};
  const auto recalibrated = fit.recalibrated();
  ASSERT_EQ(recalibrated.size(), 2U);
  // After two epochs the running statistics still hold much of where they started.
  const EpochRecord& best = epochs.at(static_cast<std::size_t>(fit.best_epoch() - 1));
  EXPECT_NE(recalibrated.at("val").at("loss"), best.val.at("loss"));
  auto model = fit.best_model();
  recalibrate(*model, *setting.inputs, fit.split().train, setting.config.batch);
  const torch::Tensor logits =
      evaluate(*model, *setting.inputs, fit.split().test, setting.config.batch);
  EXPECT_EQ(recalibrated.at("test"), setting.inputs->objective().metrics(logits, fit.split().test));
}

/// The diagnostic of every epoch changes no other number of the fit.
TEST(Recalibrate, EveryEpochIfAskedFor) {
  test::FitSetting setting = test::fit_setting(test::rings_and_stars(30), "hgnet-edgepool", 2);
  setting.config.network.dropout = 0.3;
  Fit plain = test::make_fit(setting);
  setting.config.recalibrate = true;
  Fit diagnosed = test::make_fit(setting);
  for (int epoch = 0; epoch < 2; ++epoch) {
    const EpochRecord expected = *plain.run_epoch();
    const EpochRecord found = *diagnosed.run_epoch();
    EXPECT_EQ(found.val, expected.val);
    EXPECT_EQ(found.train, expected.train);
    EXPECT_TRUE(expected.recalibrated.empty());
    EXPECT_NE(found.recalibrated.at("loss"), found.val.at("loss"));
  }
}

TEST(Recalibrate, IsRefusedWithoutANorm) {
  test::FitSetting setting = test::fit_setting(test::communities(), "gcn", 1);
  setting.config.recalibrate = true;
  EXPECT_THROW(test::make_fit(setting), NoEffect);
  EXPECT_THROW(complete(setting.config, test::communities()), NoEffect);
  setting.config.network.norm = Norm::kBatch;
  EXPECT_NO_THROW(complete(setting.config, test::communities()));
}

/// With momentum 1 the statistics are those of the last batch.
TEST(NormMomentum, IsTheShareOfABatch) {
  test::FitSetting setting = test::fit_setting(test::rings_and_stars(12), "hgnet-louvain", 1);
  setting.config.network.dropout = 0;
  std::vector<std::int64_t> all(12);
  std::iota(all.begin(), all.end(), 0);
  const Input whole = to_input(setting.inputs->source().join(all));
  const auto mean_after_a_batch = [&](double momentum) {
    setting.config.network.norm_momentum = momentum;
    Model model(setting.config.network, 3);
    model.train();
    model.forward(whole);
    return norms_in(model).front()->running_mean.clone();
  };
  const torch::Tensor last = mean_after_a_batch(1);
  EXPECT_TRUE(mean_after_a_batch(0.25).allclose(0.25 * last, 1e-5, 1e-7));
  EXPECT_GT(last.abs().max().item<double>(), 0);
  setting.config.network.norm_momentum = 0;
  EXPECT_THROW(Model(setting.config.network, 3), Error);
}

TEST(Recalibrate, LeavesModelsWithoutNormAlone) {
  const test::FitSetting setting = test::fit_setting(test::communities(), "gcn", 1);
  Model model(setting.config.network, 3);
  EXPECT_FALSE(has_running_statistics(model));
  const std::vector<std::int64_t> some{0, 1, 2};
  const torch::Tensor before = evaluate(model, *setting.inputs, some, 1);
  recalibrate(model, *setting.inputs, some, 1);
  EXPECT_TRUE(evaluate(model, *setting.inputs, some, 1).equal(before));
}

}  // namespace
}  // namespace hgnet
