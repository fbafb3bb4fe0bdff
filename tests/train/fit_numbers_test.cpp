// Checks that the numbers of an epoch belong to the epoch and mode they claim, by comparison with a
// training loop of libtorch's own parts, and with models built from a fit's weights.

#include <gmock/gmock.h>
#include <torch/nn/functional/loss.h>
#include <torch/nn/utils/clip_grad.h>
#include <torch/optim/adam.h>

#include <algorithm>
#include <cmath>

#include "hgnet/data/split_choice.hpp"
#include "hgnet/train/fit.hpp"
#include "models/state.hpp"
#include "support/samples.hpp"
#include "train/fit_setting.hpp"

namespace hgnet {
namespace {

namespace F = torch::nn::functional;
using test::fit_setting;
using test::FitSetting;
using test::make_fit;
using torch::Tensor;

using Samples = std::vector<std::int64_t>;

/// Dropout and BatchNorm: the same weights give different scores in training mode.
FitSetting with_modes(Dataset dataset, std::int64_t epochs) {
  FitSetting result = fit_setting(std::move(dataset), "gcn", epochs);
  result.config.network.dropout = 0.5;
  result.config.network.norm = Norm::kBatch;
  return result;
}

FitSetting of_nodes(std::int64_t epochs) { return with_modes(test::communities(), epochs); }

/// Classes that do not depend on the graphs: easy classes would have a loss of 0 in every epoch and
/// mode.
FitSetting of_graphs(std::int64_t epochs) {
  Dataset dataset = test::rings_and_stars(60);
  Generator generator(4);
  for (std::int32_t& label : dataset.classes) label = generator.uniform() < 0.5 ? 0 : 1;
  return with_modes(std::move(dataset), epochs);
}

bool is_node_task(const FitSetting& s) { return s.inputs->dataset().task == Task::kNode; }

Tensor classes_of(const FitSetting& s, const Samples& samples) {
  Samples classes;
  for (const std::int64_t sample : samples) classes.push_back(s.inputs->dataset().classes[sample]);
  return to_indices(classes).clone();
}

/// Logits of the samples in the model's current mode, without the library's loop over batches.
Tensor logits_of(Model& model, const FitSetting& s, const Samples& samples) {
  if (is_node_task(s)) return model.forward(s.inputs->whole()).index_select(0, to_indices(samples));
  return model.forward(to_input(s.inputs->source().join(samples)));
}

struct Score {
  double loss;
  double accuracy;
};

Score score_of(const Tensor& logits, const Tensor& classes) {
  return {F::cross_entropy(logits, classes).item<double>(),
          logits.argmax(1).eq(classes).to(torch::kFloat64).mean().item<double>()};
}

/// In evaluation mode.
Score eval_score(Model& model, const FitSetting& s, const Samples& samples) {
  const torch::NoGradGuard no_grad;
  model.eval();
  return score_of(logits_of(model, s, samples), classes_of(s, samples));
}

void expect_score(const Metrics& metrics, const Score& score, double tolerance) {
  EXPECT_NEAR(metrics.at("loss"), score.loss, tolerance);
  EXPECT_NEAR(metrics.at("accuracy"), score.accuracy, tolerance);
}

std::shared_ptr<Model> copy_of(const Model& model) {
  auto copy = make_model(model.config(), 0);
  set_model_state(*copy, model_state(model));
  return copy;
}

TEST(FitNumbers, AreInEvaluationModeOfTheWeightsAfterTheEpoch) {
  for (const FitSetting& s : {of_nodes(4), of_graphs(4)}) {
    Fit fit = make_fit(s);
    while (!fit.finished()) {
      const EpochRecord record = *fit.run_epoch();
      const auto model = copy_of(fit.model());
      expect_score(record.val, eval_score(*model, s, fit.split().val), 1e-6);
      expect_score(record.test, eval_score(*model, s, fit.split().test), 1e-6);
      if (is_node_task(s))
        expect_score(record.train, eval_score(*model, s, fit.split().train), 1e-6);
      // Otherwise the mode would not show.
      model->train();
      const Tensor noisy = logits_of(*model, s, fit.split().test).detach();
      const Score other = score_of(noisy, classes_of(s, fit.split().test));
      EXPECT_GT(std::abs(record.test.at("loss") - other.loss), 1e-3);
    }
  }
}

/// The first epochs of a fit with libtorch's Adam, clipping and loss, written independently from
/// the settings.
class PlainLoop {
 public:
  explicit PlainLoop(const FitSetting& s)
      : s_(s),
        config_(s.config),
        split_(choose_split(s.inputs->dataset(), config_.split, config_.split_seed, config_.fold)),
        model_(make_model(config_.network, config_.seed)),
        adam_(groups()),
        shuffle_(config_.seed, 2) {}

  struct Epoch {
    Score train, val, test;
  };

  Epoch run(int epoch) {
    const double lr =
        config_.lr_decay_every == 0
            ? config_.lr
            : config_.lr * std::pow(config_.lr_decay, (epoch - 1) / config_.lr_decay_every);
    for (auto& group : adam_.param_groups())
      static_cast<torch::optim::AdamOptions&>(group.options()).lr(lr);
    model_->train();
    Score sum{0, 0};
    std::vector<Samples> batches{split_.train};
    if (!is_node_task(s_)) batches = plan_batches(split_.train, config_.batch, &shuffle_);
    for (const Samples& batch : batches) {
      const Score score = step(batch);
      sum.loss += score.loss * static_cast<double>(batch.size());
      sum.accuracy += score.accuracy * static_cast<double>(batch.size());
    }
    const auto count = static_cast<double>(split_.train.size());
    const Score trained{sum.loss / count, sum.accuracy / count};
    return {is_node_task(s_) ? eval_score(*model_, s_, split_.train) : trained,
            eval_score(*model_, s_, split_.val), eval_score(*model_, s_, split_.test)};
  }

  const Model& model() const { return *model_; }

 private:
  std::vector<torch::optim::OptimizerParamGroup> groups() const {
    const std::vector<Tensor> first = model_->first_layer_parameters();
    std::vector<Tensor> decayed, others;
    for (const auto& parameter : model_->named_parameters()) {
      const Tensor& p = parameter.value();
      const bool in_first = std::any_of(first.begin(), first.end(),
                                        [&](const Tensor& other) { return p.is_same(other); });
      const bool direction =
          config_.model == "g-unet" && parameter.key().starts_with("network.pool");
      const bool chosen = (config_.decay_on == DecayOn::kAll || in_first) && !direction;
      (chosen ? decayed : others).push_back(p);
    }
    const auto group = [&](std::vector<Tensor> parameters, double decay) {
      return torch::optim::OptimizerParamGroup(
          std::move(parameters), std::make_unique<torch::optim::AdamOptions>(
                                     torch::optim::AdamOptions(config_.lr).weight_decay(decay)));
    };
    std::vector<torch::optim::OptimizerParamGroup> groups{group(decayed, config_.weight_decay)};
    if (!others.empty()) groups.push_back(group(others, 0));
    return groups;
  }

  Score step(const Samples& batch) {
    adam_.zero_grad();
    const Tensor logits = logits_of(*model_, s_, batch);
    const Tensor classes = classes_of(s_, batch);
    F::cross_entropy(logits, classes).backward();
    if (config_.clip > 0) torch::nn::utils::clip_grad_norm_(model_->parameters(), config_.clip);
    adam_.step();
    return score_of(logits.detach(), classes);
  }

  FitSetting s_;
  TrainConfig config_;
  Split split_;
  std::shared_ptr<Model> model_;
  torch::optim::Adam adam_;
  Generator shuffle_;
};

/// Compares the weights after some epochs, and every number on the way.
void expect_plain_loop(const FitSetting& s) {
  Fit fit = make_fit(s);
  PlainLoop plain(s);
  for (int epoch = 1; epoch <= s.config.epochs; ++epoch) {
    SCOPED_TRACE("epoch " + std::to_string(epoch));
    const EpochRecord record = *fit.run_epoch();
    const PlainLoop::Epoch expected = plain.run(epoch);
    expect_score(record.train, expected.train, 1e-4);
    expect_score(record.val, expected.val, 1e-4);
    expect_score(record.test, expected.test, 1e-4);
  }
  const auto ours = fit.model().parameters();
  const auto theirs = plain.model().parameters();
  for (std::size_t i = 0; i < ours.size(); ++i)
    EXPECT_LT((ours[i] - theirs[i]).abs().max().item<double>(), 1e-4) << "parameter " << i;
}

class PlainFits : public ::testing::TestWithParam<bool> {
 protected:
  FitSetting setting(std::int64_t epochs) const {
    return GetParam() ? of_nodes(epochs) : of_graphs(epochs);
  }
};

TEST_P(PlainFits, AreThoseOfAPlainLoop) { expect_plain_loop(setting(4)); }

TEST_P(PlainFits, DecayTheLearningRate) {
  FitSetting s = setting(5);
  s.config.lr = 0.03;
  s.config.lr_decay = 0.2;
  s.config.lr_decay_every = 2;
  expect_plain_loop(s);
}

TEST_P(PlainFits, ClipTheGradient) {
  FitSetting s = setting(4);
  s.config.clip = 0.05;  // below every norm here
  s.config.weight_decay =
      0.1;  // Adam hides a factor on all gradients, but not on what comes after clipping
  expect_plain_loop(s);
}

TEST_P(PlainFits, DecayAllWeights) {
  FitSetting s = setting(4);
  s.config.weight_decay = 0.1;
  expect_plain_loop(s);
}

TEST_P(PlainFits, DecayTheFirstLayer) {
  FitSetting s = setting(4);
  s.config.weight_decay = 0.1;
  s.config.decay_on = DecayOn::kFirstLayer;
  expect_plain_loop(s);
}

// The loss does not hold the length of top-k's p: decay alone would take it to 0.
TEST(PlainFit, DecaysNoDirection) {
  FitSetting s = fit_setting(test::rings_and_stars(60), "g-unet", 4);
  s.config.weight_decay = 0.1;
  expect_plain_loop(s);
}

INSTANTIATE_TEST_SUITE_P(Tasks, PlainFits, ::testing::Bool(), [](const auto& tested) {
  return std::string(tested.param ? "Nodes" : "Graphs");
});

TEST(FitNumbers, OfTheBestModelAreThoseOfTheBestEpoch) {
  for (FitSetting s : {of_nodes(100), of_graphs(100)}) {
    s.config.lr = 0.05;
    s.config.patience = 3;  // so that the best epoch is not the last
    Fit fit = make_fit(s);
    std::vector<EpochRecord> records;
    while (!fit.finished()) records.push_back(*fit.run_epoch());
    ASSERT_EQ(fit.epochs_done(), fit.best_epoch() + 3);
    const EpochRecord& best = records.at(fit.best_epoch() - 1);
    const auto model = fit.best_model();
    EXPECT_FALSE(model->is_training());
    expect_score(best.val, eval_score(*model, s, fit.split().val), 1e-6);
    expect_score(best.test, eval_score(*model, s, fit.split().test), 1e-6);
    EXPECT_GT(std::abs(best.test.at("loss") - records.back().test.at("loss")), 1e-4);
  }
}

}  // namespace
}  // namespace hgnet
