#include "hgnet/train/judge.hpp"

#include <algorithm>

#include "hgnet/settings/judge_name.hpp"
#include "hgnet/train/fit.hpp"
#include "hgnet/train/threads.hpp"

namespace hgnet {
namespace {

constexpr std::int64_t kJudgeEpochs = 10;

/// The same data set with these splits, "judge0" and so on.
std::shared_ptr<const Dataset> with_splits(const Dataset& dataset, std::span<const Split> splits) {
  auto result = std::make_shared<Dataset>(dataset);
  for (std::size_t i = 0; i < splits.size(); ++i) {
    Split& split = result->splits["judge" + std::to_string(i)];
    split = splits[i];
    std::sort(split.train.begin(), split.train.end());
  }
  return result;
}

Scores model_scores(const std::string& model, int layers, const Dataset& dataset,
                    std::span<const Split> splits, int threads) {
  set_threads(threads);
  TrainConfig config;
  config.dataset = dataset.name;
  config.model = model;
  config.network = model_defaults(model);
  apply_preset(config, "color-connectivity");
  config.network.layers = layers;
  config.epochs = kJudgeEpochs;
  config.threads = threads;
  const auto data = with_splits(dataset, splits);
  const auto inputs =
      std::make_shared<const FitInputs>(data, preparation_of(config.network), threads);
  Scores scores;
  for (std::size_t i = 0; i < splits.size(); ++i) {
    TrainConfig own = config;
    own.split = "judge" + std::to_string(i);
    complete(own, *data);
    Fit fit(own, inputs);
    while (!fit.finished()) fit.run_epoch();
    const torch::Tensor logits = evaluate(*fit.best_model(), *inputs, splits[i].test, own.batch);
    const torch::Tensor score =
        (logits.select(1, 1) - logits.select(1, 0)).to(torch::kFloat64).contiguous();
    scores.emplace_back(score.data_ptr<double>(), score.data_ptr<double>() + score.numel());
  }
  return scores;
}

}  // namespace

Judge judge_named(const std::string& name, int threads) {
  const JudgeName judge = judge_name(name);
  if (judge.counts_colours) return wl_judge(judge.layers, threads);
  const auto study = [=](const Dataset& dataset) -> Scorer {
    return [=, &dataset](std::span<const Split> splits) {
      return model_scores(judge.model, judge.layers, dataset, splits, threads);
    };
  };
  return {name, study};
}

}  // namespace hgnet
