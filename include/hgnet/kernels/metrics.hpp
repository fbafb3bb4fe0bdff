#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace hgnet {

// Of one task: predicted scores, and labels 1, 0, or not a number for examples that are not labelled and are left out.
// Nothing (nullopt) when the labelled ones are not both positive and negative.

/// Area under the ROC curve: the chance that a positive's score is above a negative's, ties counting half.
std::optional<double> roc_auc(std::span<const double> scores, std::span<const double> labels);

/// Average precision: sum over thresholds of (recall gained) x precision; examples of equal score share a threshold.
std::optional<double> average_precision(std::span<const double> scores,
                                        std::span<const double> labels);

/// Mean over the tasks, columns of row-major [rows, tasks], for which `metric` gives a value; nullopt for none.
using BinaryMetric = std::optional<double> (*)(std::span<const double>, std::span<const double>);
std::optional<double> mean_over_tasks(BinaryMetric metric, std::span<const double> scores,
                                      std::span<const double> labels, std::int64_t tasks);

}  // namespace hgnet
