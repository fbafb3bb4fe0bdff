#include "hgnet/train/objective.hpp"

#include <torch/nn/functional/loss.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "hgnet/core/error.hpp"
#include "hgnet/core/nearest_name.hpp"
#include "hgnet/kernels/metrics.hpp"
#include "hgnet/ops/cross_entropy.hpp"
#include "kernels/softmax.hpp"

namespace hgnet {
namespace {

namespace F = torch::nn::functional;
using torch::Tensor;

std::vector<double> to_doubles(const Tensor& tensor) {
  const Tensor values = tensor.to(torch::kFloat64).contiguous();
  return {values.data_ptr<double>(), values.data_ptr<double>() + values.numel()};
}

/// Means and deviations, by task.
std::pair<Tensor, Tensor> tensors_of(std::span<const Standard> standards) {
  const auto count = static_cast<std::int64_t>(standards.size());
  Tensor mean = torch::empty({count});
  Tensor deviation = torch::empty({count});
  for (std::int64_t t = 0; t < count; ++t) {
    mean.data_ptr<float>()[t] = static_cast<float>(standards[static_cast<std::size_t>(t)].mean);
    deviation.data_ptr<float>()[t] =
        static_cast<float>(standards[static_cast<std::size_t>(t)].deviation);
  }
  return {mean, deviation};
}

void put(Metrics& metrics, const char* name, std::optional<double> value) {
  if (value) metrics[name] = *value;
}

/// R2, the mean over the tasks whose targets differ of 1 - sum of (y - t)^2 / sum of (t - mean)^2.
std::optional<double> explained_share(const Tensor& off, const Tensor& targets,
                                      const Tensor& labelled) {
  const Tensor mean = (targets * labelled).sum(0) / labelled.sum(0).clamp_min(1);
  const Tensor spread = ((targets - mean) * labelled).square().sum(0);
  const Tensor differ = spread.gt(0);
  if (!differ.any().item<bool>()) return std::nullopt;
  const Tensor shares = 1 - off.square().sum(0) / spread;
  return shares.masked_select(differ).mean().item<double>();
}

/// Scores of predictions that are not numbers are none either.
Metrics only_if_finite(Metrics metrics, bool finite) {
  for (auto& [name, value] : metrics) value = finite ? value : NAN;
  return metrics;
}

/// Sum of log(sum of exp(x_c)) over the rows x of `shifted`, whose largest entry is 0. The sum of a
/// row's exponentials is between 1 and its width, so products of several do not overflow and one
/// logarithm does for all of them.
double sum_of_log_sums(std::span<float> shifted, std::int64_t width) {
  constexpr std::size_t kRowsPerLog = 16;
  kernels::exponentials(shifted);
  double total = 0;
  double product = 1;
  const std::size_t rows = shifted.size() / static_cast<std::size_t>(width);
  const float* row = shifted.data();
  for (std::size_t r = 0; r < rows; ++r, row += width) {
    product *= std::accumulate(row, row + width, 0.0F);
    if ((r + 1) % kRowsPerLog != 0) continue;
    total += std::log(product);
    product = 1;
  }
  return total + std::log(product);
}

/// Cross-entropy, accuracy and macro-F1 in one pass over the rows: as separate tensor ops they
/// would cost a fifth of an epoch on a graph like Cora. `row_of(i)` is the row of logits of the
/// i-th sample.
template <class RowOf>
Metrics class_metrics(const Tensor& logits, std::span<const std::int64_t> samples,
                      const std::vector<std::int32_t>& classes, const RowOf& row_of) {
  const Tensor values = logits.to(torch::kFloat32).contiguous();
  const std::int64_t width = values.size(1);
  std::vector<double> hits(width), guessed(width), there(width);
  std::vector<double> scores, labels;  // of two classes
  // Rows minus their largest entry.
  std::vector<float> shifted(samples.size() * static_cast<std::size_t>(width));
  float* next = shifted.data();
  double loss = 0;
  double spread = 0;  // finite only if all logits are
  double count = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::int32_t truth = classes[samples[i]];
    if (truth == kUnlabelled) continue;
    const float* row = values.data_ptr<float>() + row_of(i) * width;
    // Without branches, since the largest class cannot be predicted: first the value, then its
    // first position.
    float largest = row[0];
    for (std::int64_t c = 1; c < width; ++c) largest = row[c] > largest ? row[c] : largest;
    std::int64_t guess = 0;
    for (std::int64_t c = width; c-- > 0;) guess = row[c] == largest ? c : guess;
    float below = 0;
    for (std::int64_t c = 0; c < width; ++c) below += * next++ = row[c] - largest;
    spread += below;
    loss += largest - row[truth];
    ++guessed[guess];
    ++there[truth];
    hits[truth] += guess == truth ? 1 : 0;
    ++count;
    if (width != 2) continue;
    scores.push_back(row[1] - row[0]);
    labels.push_back(truth);
  }
  if (count == 0) return {};
  loss += sum_of_log_sums({shifted.data(), next}, width);
  double f1_sum = 0;
  double occurring = 0;
  for (std::int64_t c = 0; c < width; ++c) {
    if (guessed[c] + there[c] == 0) continue;
    f1_sum += 2 * hits[c] / (guessed[c] + there[c]);
    ++occurring;
  }
  Metrics metrics{{"loss", loss / count},
                  {"accuracy", std::accumulate(hits.begin(), hits.end(), 0.0) / count},
                  {"macro_f1", f1_sum / occurring}};
  if (width == 2) put(metrics, "roc_auc", roc_auc(scores, labels));
  return only_if_finite(std::move(metrics), std::isfinite(spread));
}

}  // namespace

torch::Tensor to_indices(std::span<const std::int64_t> samples) {
  torch::Tensor result = torch::empty({static_cast<std::int64_t>(samples.size())}, torch::kInt64);
  std::copy(samples.begin(), samples.end(), result.data_ptr<std::int64_t>());
  return result;
}

Objective::Objective(const Dataset& dataset)
    : kind_(dataset.target_kind),
      outputs_(dataset.target_kind == TargetKind::kClasses ? dataset.num_classes()
                                                           : dataset.num_tasks) {
  if (kind_ == TargetKind::kClasses) {
    classes_ = dataset.classes;
    labelled_ = torch::tensor(dataset.classes, torch::kInt32).ge(0).to(torch::kFloat32);
  } else {
    const Tensor values = torch::tensor(dataset.targets, torch::kFloat32).view({-1, outputs_});
    labelled_ = values.isnan().logical_not().to(torch::kFloat32);
    targets_ = values.nan_to_num();
    standards_ = dataset.target_standards;
  }
  all_labelled_ = labelled_.numel() > 0 && labelled_.min().item<float>() > 0;
}

double Objective::num_targets(std::span<const std::int64_t> samples) const {
  const std::int64_t per_sample = labelled_.dim() == 1 ? 1 : labelled_.size(1);
  if (all_labelled_) return static_cast<double>(std::ssize(samples) * per_sample);
  const auto* labelled = labelled_.data_ptr<float>();
  double count = 0;
  for (const std::int64_t sample : samples) {
    for (std::int64_t t = 0; t < per_sample; ++t) count += labelled[sample * per_sample + t];
  }
  return count;
}

std::vector<std::int32_t> Objective::classes_of(std::span<const std::int64_t> samples) const {
  std::vector<std::int32_t> result;
  result.reserve(samples.size());
  for (const std::int64_t sample : samples) result.push_back(classes_[sample]);
  return result;
}

Tensor Objective::loss(const Tensor& logits, std::span<const std::int64_t> samples,
                       const Tensor& weights) const {
  if (kind_ == TargetKind::kClasses) return cross_entropy(logits, classes_of(samples), weights);
  const Tensor rows = to_indices(samples);
  const Tensor targets = targets_.index_select(0, rows);
  const Tensor labelled = labelled_.index_select(0, rows);
  const double count = std::max(1.0, num_targets(samples));
  if (kind_ == TargetKind::kMultiLabel) {
    return F::binary_cross_entropy_with_logits(logits, targets,
                                               F::BinaryCrossEntropyWithLogitsFuncOptions()
                                                   .weight(labelled)
                                                   .pos_weight(weights)
                                                   .reduction(torch::kSum)) /
           count;
  }
  if (standards_.empty()) return ((logits - targets) * labelled).square().sum() / count;
  const auto [mean, deviation] = tensors_of(standards_);
  return ((logits - (targets - mean) / deviation) * labelled).square().sum() / count;
}

double Objective::weight(std::span<const std::int64_t> samples, const Tensor& weights) const {
  if (kind_ != TargetKind::kClasses || !weights.defined()) return num_targets(samples);
  double sum = 0;
  for (const std::int32_t c : classes_of(samples)) {
    if (c != kUnlabelled) sum += weights.data_ptr<float>()[c];
  }
  return sum;
}

Metrics Objective::metrics(const Tensor& logits, std::span<const std::int64_t> samples) const {
  const torch::NoGradGuard no_grad;
  if (kind_ == TargetKind::kClasses)
    return class_metrics(logits, samples, classes_, [](std::size_t i) { return i; });
  if (num_targets(samples) == 0) return {};
  return kind_ == TargetKind::kMultiLabel ? label_metrics(logits, samples)
                                          : value_metrics(logits, samples);
}

Metrics Objective::metrics_among(const Tensor& logits,
                                 std::span<const std::int64_t> samples) const {
  const torch::NoGradGuard no_grad;
  if (kind_ == TargetKind::kClasses)
    return class_metrics(logits, samples, classes_, [&](std::size_t i) { return samples[i]; });
  return metrics(logits.index_select(0, to_indices(samples)), samples);
}

Metrics Objective::value_metrics(const Tensor& logits,
                                 std::span<const std::int64_t> samples) const {
  const Tensor rows = to_indices(samples);
  const Tensor labelled = labelled_.index_select(0, rows);
  const double count = num_targets(samples);
  const Tensor targets = targets_.index_select(0, rows);
  const Tensor off =
      ((probabilities(logits, kind_, standards_) - targets) * labelled).to(torch::kFloat64);
  const double squares = off.square().sum().item<double>() / count;
  const double loss_value = standards_.empty() ? squares : loss(logits, samples).item<double>();
  Metrics result{{"loss", loss_value},
                 {"rmse", std::sqrt(squares)},
                 {"mae", off.abs().sum().item<double>() / count}};
  put(result, "r2", explained_share(off, targets.to(torch::kFloat64), labelled));
  return only_if_finite(std::move(result), std::isfinite(squares));
}

Metrics Objective::label_metrics(const Tensor& logits,
                                 std::span<const std::int64_t> samples) const {
  const Tensor rows = to_indices(samples);
  const Tensor targets = targets_.index_select(0, rows);
  const Tensor labelled = labelled_.index_select(0, rows);
  const double count = num_targets(samples);
  const Tensor right = logits.gt(0).eq(targets.gt(0.5)).to(torch::kFloat32) * labelled;
  Metrics result{{"loss", loss(logits, samples).item<double>()},
                 {"accuracy", right.sum(torch::kFloat64).item<double>() / count}};
  const std::vector<double> scores = to_doubles(logits);
  const std::vector<double> labels =
      to_doubles(torch::where(labelled.gt(0), targets, torch::full_like(targets, NAN)));
  put(result, "roc_auc", mean_over_tasks(roc_auc, scores, labels, outputs_));
  put(result, "average_precision", mean_over_tasks(average_precision, scores, labels, outputs_));
  const bool finite = std::isfinite(result.at("loss"));
  return only_if_finite(std::move(result), finite);
}

torch::Tensor probabilities(const Tensor& logits, TargetKind kind,
                            std::span<const Standard> standards) {
  switch (kind) {
    case TargetKind::kClasses: return logits.softmax(1);
    case TargetKind::kMultiLabel: return logits.sigmoid();
    case TargetKind::kRegression:
      if (standards.empty()) return logits;
      const auto [mean, deviation] = tensors_of(standards);
      return logits * deviation + mean;
  }
  throw Error("unknown kind of targets");
}

std::vector<std::string> Objective::own_metrics() const {
  switch (kind_) {
    case TargetKind::kClasses:
      if (outputs_ == 2) return {"accuracy", "macro_f1", "roc_auc", "loss"};
      return {"accuracy", "macro_f1", "loss"};
    case TargetKind::kMultiLabel: return {"roc_auc", "average_precision", "accuracy", "loss"};
    case TargetKind::kRegression: return {"rmse", "mae", "r2", "loss"};
  }
  return {};
}

void Objective::check_metric(const std::string& metric) const {
  const std::vector<std::string> names = own_metrics();
  if (std::find(names.begin(), names.end(), metric) == names.end())
    throw Error(unknown_name("metric", metric, names));
}

bool Objective::defines(const std::string& metric, std::span<const std::int64_t> samples) const {
  return metrics(torch::zeros({std::ssize(samples), outputs_}), samples).contains(metric);
}

}  // namespace hgnet
