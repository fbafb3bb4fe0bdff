// What an Objective knows without a model: shares of classes, weights from them, the baseline.

#include "hgnet/train/objective.hpp"

namespace hgnet {
namespace {

using torch::Tensor;

/// Of labels: how many of the samples have yes, by task, and how many no.
std::pair<Tensor, Tensor> yes_and_no(const Tensor& targets, const Tensor& labelled) {
  const Tensor yes = (targets * labelled).sum(0);
  return {yes, labelled.sum(0) - yes};
}

}  // namespace

Tensor Objective::class_counts(std::span<const std::int64_t> samples) const {
  Tensor counts = torch::zeros({outputs_});
  for (const std::int64_t sample : samples) {
    if (classes_[sample] != kUnlabelled) counts.data_ptr<float>()[classes_[sample]] += 1;
  }
  return counts;
}

Tensor Objective::balanced_weights(std::span<const std::int64_t> samples) const {
  if (kind_ == TargetKind::kClasses) {
    const Tensor counts = class_counts(samples);
    const Tensor occurs = counts.gt(0);
    const Tensor even = counts.sum() / occurs.sum();
    return torch::where(occurs, even / counts, torch::ones_like(counts));
  }
  const Tensor rows = to_indices(samples);
  const auto [yes, no] =
      yes_and_no(targets_.index_select(0, rows), labelled_.index_select(0, rows));
  return torch::where(yes.gt(0).logical_and(no.gt(0)), no / yes, torch::ones_like(yes));
}

Tensor Objective::constant_row(std::span<const std::int64_t> samples) const {
  const torch::NoGradGuard no_grad;
  if (kind_ == TargetKind::kClasses) return class_counts(samples).add(1).log();
  const Tensor rows = to_indices(samples);
  const Tensor targets = targets_.index_select(0, rows);
  const Tensor labelled = labelled_.index_select(0, rows);
  if (kind_ == TargetKind::kRegression) {
    const Tensor mean =
        (targets * labelled).sum(0, false, torch::kFloat64) / labelled.sum(0).clamp_min(1);
    double* values = mean.data_ptr<double>();
    for (std::size_t t = 0; t < standards_.size(); ++t)
      values[t] = (values[t] - standards_[t].mean) / standards_[t].deviation;
    return mean.to(torch::kFloat32);
  }
  const auto [yes, no] = yes_and_no(targets, labelled);
  return (yes + 1).log() - (no + 1).log();
}

Metrics Objective::baseline(const Tensor& row, std::span<const std::int64_t> samples) const {
  return metrics(row.expand({std::ssize(samples), outputs_}), samples);
}

Confusion Objective::confusion(const Tensor& logits, std::span<const std::int64_t> samples) const {
  Confusion result(outputs_);
  const Tensor guesses = logits.argmax(1).contiguous();
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::int32_t truth = classes_[samples[i]];
    if (truth != kUnlabelled) ++result.at(truth, guesses.data_ptr<std::int64_t>()[i]);
  }
  return result;
}

std::vector<Confusion> Objective::label_confusions(const Tensor& logits,
                                                   std::span<const std::int64_t> samples) const {
  std::vector<Confusion> result(static_cast<std::size_t>(outputs_), Confusion(2));
  const Tensor rows = logits.contiguous();
  const float* guess = rows.data_ptr<float>();
  const float* truth = targets_.data_ptr<float>();
  const float* labelled = labelled_.data_ptr<float>();
  for (std::size_t i = 0; i < samples.size(); ++i) {
    for (std::int64_t t = 0; t < outputs_; ++t) {
      const std::int64_t target = samples[i] * outputs_ + t;
      if (labelled[target] == 0) continue;
      const bool yes = guess[static_cast<std::int64_t>(i) * outputs_ + t] > 0;
      ++result[static_cast<std::size_t>(t)].at(truth[target] > 0.5F ? 1 : 0, yes ? 1 : 0);
    }
  }
  return result;
}

}  // namespace hgnet
