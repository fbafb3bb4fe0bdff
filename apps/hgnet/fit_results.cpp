#include "fit_results.hpp"

#include <cmath>
#include <iostream>
#include <string>
#include <utility>

#include "hgnet/records/spread.hpp"

namespace hgnet::app {

void print_fit(const FitRecord& record) {
  std::cout << record.model << " on " << record.dataset;
  if (record.fold >= 0) std::cout << ", fold " << record.fold << " of " << record.split;
  const char* before = ": ";
  for (const auto& [part, name] : {std::pair("test", "test"), {"val", "validation"}}) {
    const double score = record.score(part);
    if (std::isnan(score)) continue;
    std::cout << before << name << " " << record.metric << " "
              << score_with_unit(record.metric, score);
    before = ", ";
  }
  std::cout << " (best epoch " << record.best_epoch << " of " << record.epochs << ", "
            << record.parameters << " parameters)\n";
}

void print_summary(const RunSummary& summary) {
  if (summary.done.empty()) return;
  const FitRecord& first = summary.done.front();
  if (summary.fits == 1) return print_fit(first);
  std::cout << first.model << " on " << first.dataset << ", " << summary.done.size() << " of "
            << summary.fits << " fits: ";
  const std::vector<double> scores = summary.values("test", first.metric);
  if (scores.empty()) {
    std::cout << "no test " << first.metric << "\n";
    return;
  }
  const Summary spread = summary_of(scores);
  std::cout << "test " << first.metric << " " << score_with_unit(first.metric, spread.mean)
            << ", standard deviation " << score_with_unit(first.metric, spread.deviation) << "\n ";
  for (const double score : scores) std::cout << " " << score_with_unit(first.metric, score);
  std::cout << "\n";
}

std::vector<RunSummary> summaries(const std::vector<FitOutcome>& outcomes,
                                  const std::vector<std::string>& models) {
  std::vector<RunSummary> result;
  for (const std::string& model : models) result.push_back({model, 0, 0, {}});
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    RunSummary& summary = result[i % models.size()];
    ++summary.fits;
    if (outcomes[i].kind == FitOutcome::Kind::kFailed) ++summary.failed;
    if (outcomes[i].kind == FitOutcome::Kind::kDone) summary.done.push_back(outcomes[i].record);
  }
  return result;
}

}  // namespace hgnet::app
