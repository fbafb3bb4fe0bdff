#pragma once

#include <cstdio>
#include <optional>
#include <string>

#include "hgnet/records/metrics.hpp"

namespace hgnet {

inline std::string fixed(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

/// "+1.2", "-0.3".
inline std::string signed_fixed(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%+.*f", digits, value);
  return text;
}

/// "0.0020", "< 0.0001".
inline std::string p_text(double p) { return p < 1e-4 ? "< 0.0001" : fixed(p, 4); }

/// "81.5 ± 0.4", or "81.5" without a deviation.
inline std::string figure_text(const std::string& metric, double mean,
                               std::optional<double> deviation,
                               const std::string& between = " ± ") {
  const std::string text = score_text(metric, mean);
  return deviation ? text + between + score_text(metric, *deviation) : text;
}

/// "1 fit", "2 fits".
inline std::string counted(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

/// " (quick)", or nothing for an empty text.
inline std::string bracketed(const std::string& text) {
  return text.empty() ? "" : " (" + text + ")";
}

/// Appends a piece, with a separator unless it is the first. Nothing for an empty piece.
inline void append(std::string& text, const std::string& separator, const std::string& piece) {
  text += (text.empty() || piece.empty() ? "" : separator) + piece;
}

}  // namespace hgnet
