#include "hgnet/records/metrics.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace hgnet {
namespace {

struct MetricRow {
  const char* name;
  bool lower_is_better;
  bool percent;
  int digits;  // shown after the decimal point
  const char* label;
};

constexpr std::array<MetricRow, 8> kMetrics{{
    {"accuracy", false, true, 1, "accuracy, %"},
    {"macro_f1", false, true, 2, "macro F1, %"},
    {"roc_auc", false, true, 2, "ROC-AUC, %"},
    {"average_precision", false, true, 2, "average precision, %"},
    {"rmse", true, false, 3, "RMSE"},
    {"mae", true, false, 3, "MAE"},
    {"r2", false, false, 3, "R2"},
    {"loss", true, false, 3, "loss"},
}};

constexpr MetricRow kOther{nullptr, false, true, 2, nullptr};

const MetricRow& row_of(std::string_view metric) {
  const auto found = std::find_if(kMetrics.begin(), kMetrics.end(),
                                  [&](const MetricRow& row) { return row.name == metric; });
  return found == kMetrics.end() ? kOther : *found;
}

}  // namespace

std::vector<std::string> metric_names() {
  std::vector<std::string> names;
  for (const MetricRow& row : kMetrics) names.emplace_back(row.name);
  return names;
}

bool lower_is_better(std::string_view metric) { return row_of(metric).lower_is_better; }

std::string metric_label(std::string_view metric) {
  const MetricRow& row = row_of(metric);
  return row.label != nullptr ? row.label : std::string(metric) + ", %";
}

double shown_score(std::string_view metric, double score) {
  return row_of(metric).percent ? 100 * score : score;
}

std::string score_text(std::string_view metric, double score, int more) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", row_of(metric).digits + more,
                shown_score(metric, score));
  return text;
}

std::string score_with_unit(std::string_view metric, double score) {
  return score_text(metric, score, 1) + (row_of(metric).percent ? " %" : "");
}

}  // namespace hgnet
