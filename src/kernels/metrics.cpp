#include "hgnet/kernels/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "hgnet/core/error.hpp"

namespace hgnet {
namespace {

struct Scored {
  double score;
  bool positive;
};

/// The labelled examples from the highest score down; empty unless both labels occur and every
/// score has a place in that order.
std::vector<Scored> ranked(std::span<const double> scores, std::span<const double> labels) {
  if (scores.size() != labels.size()) throw Error("metrics: labels and scores differ in number");
  std::vector<Scored> result;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (!std::isnan(labels[i])) result.push_back({scores[i], labels[i] > 0});
  }
  const auto positive = [](const Scored& s) { return s.positive; };
  if (std::any_of(result.begin(), result.end(),
                  [](const Scored& s) { return std::isnan(s.score); }))
    return {};
  if (std::all_of(result.begin(), result.end(), positive) ||
      std::none_of(result.begin(), result.end(), positive))
    return {};
  std::sort(result.begin(), result.end(),
            [](const Scored& a, const Scored& b) { return a.score > b.score; });
  return result;
}

/// Calls visit(positives, negatives) for each run of equal scores.
template <class Visit>
void for_thresholds(const std::vector<Scored>& examples, const Visit& visit) {
  for (std::size_t i = 0; i < examples.size();) {
    double positives = 0;
    double negatives = 0;
    const double score = examples[i].score;
    for (; i < examples.size() && examples[i].score == score; ++i)
      ++(examples[i].positive ? positives : negatives);
    visit(positives, negatives);
  }
}

}  // namespace

std::optional<double> roc_auc(std::span<const double> scores, std::span<const double> labels) {
  const std::vector<Scored> examples = ranked(scores, labels);
  if (examples.empty()) return std::nullopt;
  double area = 0;
  double above = 0;  // positives so far
  double negatives_seen = 0;
  for_thresholds(examples, [&](double positives, double negatives) {
    area += negatives * (above + positives / 2);
    above += positives;
    negatives_seen += negatives;
  });
  return area / (above * negatives_seen);
}

std::optional<double> average_precision(std::span<const double> scores,
                                        std::span<const double> labels) {
  const std::vector<Scored> examples = ranked(scores, labels);
  if (examples.empty()) return std::nullopt;
  double sum = 0;
  double hits = 0;
  double seen = 0;
  for_thresholds(examples, [&](double positives, double negatives) {
    hits += positives;
    seen += positives + negatives;
    sum += positives * hits / seen;
  });
  return sum / hits;
}

std::optional<double> mean_over_tasks(BinaryMetric metric, std::span<const double> scores,
                                      std::span<const double> labels, std::int64_t tasks) {
  if (tasks <= 0 || scores.size() % tasks != 0) throw Error("metrics: rows differ in length");
  const std::int64_t rows = static_cast<std::int64_t>(scores.size()) / tasks;
  double sum = 0;
  int counted = 0;
  std::vector<double> column(rows);
  std::vector<double> truth(rows);
  for (std::int64_t t = 0; t < tasks; ++t) {
    for (std::int64_t r = 0; r < rows; ++r) {
      column[r] = scores[r * tasks + t];
      truth[r] = labels[r * tasks + t];
    }
    const std::optional<double> value = metric(column, truth);
    if (!value) continue;
    sum += *value;
    ++counted;
  }
  return counted > 0 ? std::optional(sum / counted) : std::nullopt;
}

}  // namespace hgnet
