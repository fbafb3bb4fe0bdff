#pragma once

#include <torch/types.h>

#include <span>
#include <string>
#include <vector>

#include "hgnet/data/dataset.hpp"
#include "hgnet/records/confusion.hpp"
#include "hgnet/records/metrics.hpp"

namespace hgnet {

/// Sample numbers as a tensor of indices.
torch::Tensor to_indices(std::span<const std::int64_t> samples);

/// The loss to minimise and the metrics to report, for the targets of one data set:
///   classes      cross-entropy;         accuracy, macro_f1, and roc_auc if there are two classes
///   multi-label  binary cross-entropy;  roc_auc, average_precision, accuracy
///   regression   mean squared error;    rmse, mae, r2
/// Missing labels and targets are left out.
class Objective {
 public:
  explicit Objective(const Dataset& dataset);

  /// The mean over those of `samples` (one row of logits each) that have a target, and over their
  /// targets. 0 if there are none. `weights` are of the classes, and the mean is weighted too; or,
  /// for labels, of a yes.
  torch::Tensor loss(const torch::Tensor& logits, std::span<const std::int64_t> samples,
                     const torch::Tensor& weights = {}) const;

  /// What the mean in loss() divides by: losses of parts of a batch, weighted with it, make the
  /// whole's.
  double weight(std::span<const std::int64_t> samples, const torch::Tensor& weights = {}) const;

  /// Weights for the loss with which every class that occurs among `samples` has the same sum; for
  /// labels, yes and no of each. Not for regression.
  torch::Tensor balanced_weights(std::span<const std::int64_t> samples) const;

  /// The number of targets of `samples`: the weight of a batch in an epoch's mean.
  double num_targets(std::span<const std::int64_t> samples) const;

  /// Row i of the logits is for sample samples[i]. A metric that these samples do not define is
  /// missing: any if none is labelled, a ranking if only one label occurs. If a logit is not
  /// finite, all are NaN.
  Metrics metrics(const torch::Tensor& logits, std::span<const std::int64_t> samples) const;
  /// Row s of the logits is for sample s; only `samples` count.
  Metrics metrics_among(const torch::Tensor& logits, std::span<const std::int64_t> samples) const;

  /// The best prediction that looks at no sample, from the targets of `train`: the majority class,
  /// the more frequent value of each label, the mean of the targets. As logits: logarithms of the
  /// classes' shares, of the odds of a yes, or means.
  torch::Tensor constant_row(std::span<const std::int64_t> train) const;
  /// Metrics of that row for all samples.
  Metrics baseline(const torch::Tensor& row, std::span<const std::int64_t> samples) const;
  TargetKind kind() const { return kind_; }
  /// Classes only; row i of the logits is for sample samples[i].
  Confusion confusion(const torch::Tensor& logits, std::span<const std::int64_t> samples) const;
  /// Labels only: of no and yes, for each label.
  std::vector<Confusion> label_confusions(const torch::Tensor& logits,
                                          std::span<const std::int64_t> samples) const;

  /// Throws Error, listing the valid ones, unless `metric` is a metric of this task.
  void check_metric(const std::string& metric) const;
  /// Whether metrics() of these samples has it.
  bool defines(const std::string& metric, std::span<const std::int64_t> samples) const;

 private:
  std::vector<std::string> own_metrics() const;
  torch::Tensor class_counts(std::span<const std::int64_t> samples) const;
  Metrics label_metrics(const torch::Tensor& logits, std::span<const std::int64_t> samples) const;
  Metrics value_metrics(const torch::Tensor& logits, std::span<const std::int64_t> samples) const;
  std::vector<std::int32_t> classes_of(std::span<const std::int64_t> samples) const;

  TargetKind kind_;
  std::vector<std::int32_t> classes_;
  std::int64_t outputs_;
  torch::Tensor targets_;  // unless classes: float [samples, tasks], 0 if missing
  bool all_labelled_ = false;
  torch::Tensor labelled_;           // 1 or 0, float: [samples, tasks]; classes: [samples]
  std::vector<Standard> standards_;  // of the targets
};

/// Converts logits, row by row, to probabilities of the classes, or of yes for each label;
/// regression: the values, mean + deviation times the logit of each task where targets are
/// standardised.
torch::Tensor probabilities(const torch::Tensor& logits, TargetKind kind,
                            std::span<const Standard> standards = {});

}  // namespace hgnet
