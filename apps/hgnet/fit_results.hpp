// What fits brought, as lines of text.

#pragma once

#include <vector>

#include "hgnet/records/run_summary.hpp"
#include "hgnet/train/fit_run.hpp"

namespace hgnet::app {

void print_fit(const FitRecord& record);
void print_summary(const RunSummary& summary);

/// One for each model. The outcomes go model by model within a seed and fold, as Protocol::fits has them.
std::vector<RunSummary> summaries(const std::vector<FitOutcome>& outcomes,
                                  const std::vector<std::string>& models);

}  // namespace hgnet::app
