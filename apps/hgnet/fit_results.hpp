// The results of fits as text.

#pragma once

#include <vector>

#include "hgnet/records/run_summary.hpp"
#include "hgnet/train/fit_run.hpp"

namespace hgnet::app {

void print_fit(const FitRecord& record);
/// A line with the mean baseline of fits of one metric, "  baseline (majority class): test accuracy
/// 31.90 %"; nothing for records without one.
void print_baseline(const std::vector<FitRecord>& fits);
void print_summary(const RunSummary& summary);

/// One summary per model. The outcomes are ordered as in Protocol::fits: model by model within a
/// seed and fold.
std::vector<RunSummary> summaries(const std::vector<FitOutcome>& outcomes,
                                  const std::vector<std::string>& models);

}  // namespace hgnet::app
