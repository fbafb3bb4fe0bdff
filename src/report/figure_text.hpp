// Text about figures that all writers share.

#pragma once

#include <string>

#include "hgnet/records/metrics.hpp"
#include "hgnet/report/tables.hpp"

namespace hgnet {

/// "81.5", or with `between` and the deviation "81.5 ± 0.4". A single fit has no deviation.
inline std::string mean_text(const FitGroup& group, const std::string& between = " ± ",
                             Shown shown = Shown::kTest) {
  if (shown == Shown::kParameters) return std::to_string(group.fits.front()->parameters);
  const Summary& scores = shown == Shown::kTest ? group.test : group.val;
  std::string text = score_text(group.metric, scores.mean);
  if (scores.count > 1) text += between + score_text(group.metric, scores.deviation);
  return text;
}

inline std::string published_text(const PublishedFigure& figure, const std::string& metric,
                                  const std::string& between = " ± ") {
  std::string text = score_text(metric, figure.mean);
  if (figure.deviation) text += between + score_text(metric, *figure.deviation);
  return text;
}

/// " (40 epochs)"; nothing for fits that are not shortened.
inline std::string epochs_mark(const GroupKey& key) {
  return key.shortened > 0 ? " (" + training_text(key) + ")" : "";
}

}  // namespace hgnet
