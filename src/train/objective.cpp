#include "hgnet/train/objective.hpp"

#include <torch/nn/functional/loss.h>

#include <algorithm>
#include <cmath>

#include "core/nearest_name.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/train/metrics.hpp"

namespace hgnet {
namespace {

namespace F = torch::nn::functional;
using torch::Tensor;

std::vector<double> to_doubles(const Tensor& tensor) {
  const Tensor values = tensor.to(torch::kFloat64).contiguous();
  return {values.data_ptr<double>(), values.data_ptr<double>() + values.numel()};
}

void put(Metrics& metrics, const char* name, std::optional<double> value) {
  if (value) metrics[name] = *value;
}

/// Of samples that have a class.
void add_class_metrics(Metrics& metrics, const Tensor& logits, const Tensor& classes) {
  const Tensor predicted = logits.argmax(1).contiguous();
  const std::int64_t count = classes.size(0);
  const std::int64_t* guess = predicted.data_ptr<std::int64_t>();
  const std::int64_t* truth = classes.data_ptr<std::int64_t>();
  std::vector<double> hits(logits.size(1)), guessed(hits), there(hits);
  for (std::int64_t i = 0; i < count; ++i) {
    ++guessed[guess[i]];
    ++there[truth[i]];
    if (guess[i] == truth[i]) ++hits[truth[i]];
  }
  double right = 0;
  double f1_sum = 0;
  double occurring = 0;
  for (std::size_t c = 0; c < hits.size(); ++c) {
    right += hits[c];
    if (guessed[c] + there[c] == 0) continue;
    f1_sum += 2 * hits[c] / (guessed[c] + there[c]);
    ++occurring;
  }
  metrics["accuracy"] = right / static_cast<double>(count);
  metrics["macro_f1"] = f1_sum / occurring;
  if (logits.size(1) == 2) {
    put(metrics, "roc_auc",
        roc_auc(to_doubles(logits.select(1, 1) - logits.select(1, 0)), to_doubles(classes)));
  }
}

}  // namespace

Objective::Objective(const Dataset& dataset)
    : kind_(dataset.target_kind),
      outputs_(dataset.target_kind == TargetKind::kClasses ? dataset.num_classes()
                                                           : dataset.num_tasks) {
  if (kind_ == TargetKind::kClasses) {
    targets_ = torch::tensor(dataset.classes, torch::kInt32).to(torch::kInt64);
    labelled_ = targets_.ge(0).to(torch::kFloat32);
  } else {
    const Tensor values = torch::tensor(dataset.targets, torch::kFloat32).view({-1, outputs_});
    labelled_ = values.isnan().logical_not().to(torch::kFloat32);
    targets_ = values.nan_to_num();
  }
}

double Objective::num_targets(const Tensor& samples) const {
  return labelled_.index_select(0, samples).sum(torch::kFloat64).item<double>();
}

Tensor Objective::loss(const Tensor& logits, const Tensor& samples) const {
  const Tensor targets = targets_.index_select(0, samples);
  const Tensor labelled = labelled_.index_select(0, samples);
  if (kind_ == TargetKind::kClasses) {
    const auto options = F::CrossEntropyFuncOptions().ignore_index(kUnlabelled);
    if (labelled.count_nonzero().item<std::int64_t>() == 0) return logits.sum() * 0;
    return F::cross_entropy(logits, targets, options);
  }
  const double count = std::max(1.0, labelled.sum(torch::kFloat64).item<double>());
  if (kind_ == TargetKind::kMultiLabel) {
    return F::binary_cross_entropy_with_logits(logits, targets,
                                               F::BinaryCrossEntropyWithLogitsFuncOptions()
                                                   .weight(labelled)
                                                   .reduction(torch::kSum)) /
           count;
  }
  return ((logits - targets) * labelled).square().sum() / count;
}

Metrics Objective::metrics(const Tensor& all_logits, const Tensor& all_samples) const {
  const torch::NoGradGuard no_grad;
  Metrics result;
  if (all_samples.size(0) == 0 || num_targets(all_samples) == 0) return result;
  result["loss"] = loss(all_logits, all_samples).item<double>();
  const Tensor targets = targets_.index_select(0, all_samples);
  const Tensor labelled = labelled_.index_select(0, all_samples);
  if (kind_ == TargetKind::kClasses) {
    const Tensor rows = labelled.nonzero().squeeze(1);
    add_class_metrics(result, all_logits.index_select(0, rows), targets.index_select(0, rows));
    return result;
  }
  const double count = labelled.sum(torch::kFloat64).item<double>();
  if (kind_ == TargetKind::kRegression) {
    const Tensor off = ((all_logits - targets) * labelled).to(torch::kFloat64);
    result["rmse"] = std::sqrt(off.square().sum().item<double>() / count);
    result["mae"] = off.abs().sum().item<double>() / count;
    return result;
  }
  const Tensor right = all_logits.gt(0).eq(targets.gt(0.5)).to(torch::kFloat32) * labelled;
  result["accuracy"] = right.sum(torch::kFloat64).item<double>() / count;
  const std::vector<double> scores = to_doubles(all_logits);
  const std::vector<double> labels =
      to_doubles(torch::where(labelled.gt(0), targets, torch::full_like(targets, NAN)));
  put(result, "roc_auc", mean_over_tasks(roc_auc, scores, labels, outputs_));
  put(result, "average_precision", mean_over_tasks(average_precision, scores, labels, outputs_));
  return result;
}

torch::Tensor probabilities(const Tensor& logits, TargetKind kind) {
  switch (kind) {
    case TargetKind::kClasses: return logits.softmax(1);
    case TargetKind::kMultiLabel: return logits.sigmoid();
    case TargetKind::kRegression: return logits;
  }
  throw Error("unknown kind of targets");
}

std::vector<std::string> Objective::metric_names() const {
  switch (kind_) {
    case TargetKind::kClasses:
      if (outputs_ == 2) return {"accuracy", "macro_f1", "roc_auc", "loss"};
      return {"accuracy", "macro_f1", "loss"};
    case TargetKind::kMultiLabel: return {"roc_auc", "average_precision", "accuracy", "loss"};
    case TargetKind::kRegression: return {"rmse", "mae", "loss"};
  }
  return {};
}

void Objective::check_metric(const std::string& metric) const {
  const std::vector<std::string> names = metric_names();
  if (std::find(names.begin(), names.end(), metric) == names.end())
    throw Error(unknown_name("metric", metric, names));
}

bool less_is_better(const std::string& metric) {
  return metric == "rmse" || metric == "mae" || metric == "loss";
}

}  // namespace hgnet
