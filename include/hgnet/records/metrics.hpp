#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hgnet {

/// Values of metrics, by name.
using Metrics = std::map<std::string, double>;

/// The names of all metrics that a fit may have: accuracy, macro_f1, roc_auc, average_precision,
/// rmse, mae, r2, loss.
std::vector<std::string> metric_names();

// Any other metric, as a foreign record may have it, is treated as a share between 0 and 1, higher
// being better.

/// True for errors and the loss.
bool lower_is_better(std::string_view metric);

/// "accuracy, %", "RMSE": the heading of a column of scores.
std::string metric_label(std::string_view metric);

/// The number to show: a share as a percentage, anything else unchanged.
double shown_score(std::string_view metric, double score);

/// That number with the digits usual for its metric and `more` additional ones: "81.5", "76.06",
/// "1.234".
std::string score_text(std::string_view metric, double score, int more = 0);

/// With one more digit and its unit: "81.53 %", "1.2345".
std::string score_with_unit(std::string_view metric, double score);

}  // namespace hgnet
