#include "fit_results.hpp"

#include <cmath>
#include <iostream>
#include <string>
#include <utility>

#include "hgnet/records/spread.hpp"

namespace hgnet::app {
namespace {

/// What the baseline of these fits predicts, by the metrics that it has.
std::string baseline_name(const FitRecord& record) {
  const auto test = record.baseline.find("test");
  if (test != record.baseline.end() && test->second.contains("rmse")) return "mean of the targets";
  if (test != record.baseline.end() && test->second.contains("macro_f1")) return "majority class";
  return "share of each label";
}

}  // namespace

void print_baseline(const std::vector<FitRecord>& fits) {
  std::vector<double> scores;
  for (const FitRecord& fit : fits) scores.push_back(fit.baseline_score("test"));
  const Summary spread = summary_of(scores);
  if (spread.count == 0) return;
  const std::string& metric = fits.front().metric;
  std::cout << "  baseline (" << baseline_name(fits.front()) << "): test " << metric << " "
            << score_with_unit(metric, spread.mean) << "\n";
}

void print_fit(const FitRecord& record) {
  std::cout << record.model << " on " << record.dataset;
  if (record.fold >= 0) std::cout << ", fold " << record.fold << " of " << record.split;
  const char* before = ": ";
  for (const auto& [part, name] : {std::pair("test", "test"), {"val", "validation"}}) {
    const double score = record.score(part);
    if (std::isnan(score)) {
      std::cout << before << "no " << name << " " << record.metric;
    } else {
      std::cout << before << name << " " << record.metric << " "
                << score_with_unit(record.metric, score);
    }
    before = ", ";
  }
  std::cout << " (best epoch " << record.best_epoch << " of " << record.epochs << ", "
            << record.parameters << " parameters)\n";
  print_baseline({record});
}

void print_summary(const RunSummary& summary) {
  if (summary.done.empty()) return;
  const FitRecord& first = summary.done.front();
  if (summary.fits == 1) return print_fit(first);
  std::cout << first.model << " on " << first.dataset << ", " << summary.done.size() << " of "
            << summary.fits << " fits: ";
  const std::vector<double> scores = summary.values("test", first.metric);
  const Summary spread = summary_of(scores);
  if (spread.count == 0) {
    std::cout << "no test " << first.metric << "\n";
    return;
  }
  std::cout << "test " << first.metric << " " << summary_text(first.metric, spread) << "\n ";
  for (const double score : scores) std::cout << " " << score_with_unit(first.metric, score);
  std::cout << "\n";
  print_baseline(summary.done);
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
