#pragma once

#include <cstdio>
#include <string>

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

/// "1 fit", "2 fits".
inline std::string counted(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

/// Appends a piece, with a separator unless it is the first.
inline void append(std::string& text, const std::string& separator, const std::string& piece) {
  text += (text.empty() ? "" : separator) + piece;
}

}  // namespace hgnet
