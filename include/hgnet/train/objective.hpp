#pragma once

#include <torch/types.h>

#include <span>
#include <string>
#include <vector>

#include "hgnet/data/dataset.hpp"
#include "hgnet/records/metrics.hpp"

namespace hgnet {

/// Sample numbers as a tensor of indices.
torch::Tensor to_indices(std::span<const std::int64_t> samples);

/// What is minimised, and what is reported: of the targets of one data set.
///   classes      cross-entropy;                    accuracy, macro_f1, and roc_auc of two classes
///   multi-label  binary cross-entropy of the labels there are;   roc_auc, average_precision, accuracy
///   regression   mean squared error, of the targets there are;   rmse, mae
class Objective {
 public:
  explicit Objective(const Dataset& dataset);

  /// The mean over those of `samples` (a row of logits each) that have a target, and over their targets. 0 when there are none.
  torch::Tensor loss(const torch::Tensor& logits, const torch::Tensor& samples) const;

  /// How many targets `samples` have: the weight of a batch in the mean of an epoch.
  double num_targets(const torch::Tensor& samples) const;

  /// Row i of the logits is of sample samples[i].
  Metrics metrics(const torch::Tensor& logits, std::span<const std::int64_t> samples) const;
  /// Row s of the logits is of sample s; of these, `samples` count.
  Metrics metrics_among(const torch::Tensor& logits, std::span<const std::int64_t> samples) const;

  /// Whether `metric` is one of this task's. Throws Error, listing them, if not.
  void check_metric(const std::string& metric) const;

 private:
  std::vector<std::string> own_metrics() const;
  Metrics label_metrics(const torch::Tensor& logits, const torch::Tensor& samples) const;
  Metrics value_metrics(const torch::Tensor& logits, const torch::Tensor& samples) const;

  TargetKind kind_;
  std::vector<std::int32_t> classes_;
  std::int64_t outputs_;
  torch::Tensor
      targets_;  // classes: int64 [samples]; else float [samples, tasks] with zeros where there is none
  bool all_labelled_ = false;
  torch::Tensor labelled_;  // 1 or 0, of the same shape, float
};

/// Of logits, by row: probabilities of the classes, or of yes for each label; regression: the values as they are.
torch::Tensor probabilities(const torch::Tensor& logits, TargetKind kind);

}  // namespace hgnet
