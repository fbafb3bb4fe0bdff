#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace hgnet {

// Metrics of one task, from predicted scores and labels: 1, 0, or NaN for unlabelled examples,
// which are left out. nullopt unless there are both positive and negative labels, and for a score
// that is NaN.

/// Area under the ROC curve: the probability that a positive example scores above a negative one;
/// ties count half.
std::optional<double> roc_auc(std::span<const double> scores, std::span<const double> labels);

/// Average precision: sum over thresholds of (recall gained) x precision; examples of equal score
/// share a threshold.
std::optional<double> average_precision(std::span<const double> scores,
                                        std::span<const double> labels);

/// Mean over the tasks (columns of row-major [rows, tasks]) for which `metric` returns a value;
/// nullopt if there are none.
using BinaryMetric = std::optional<double> (*)(std::span<const double>, std::span<const double>);
std::optional<double> mean_over_tasks(BinaryMetric metric, std::span<const double> scores,
                                      std::span<const double> labels, std::int64_t tasks);

}  // namespace hgnet
