#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

namespace hgnet {

/// At most six digits, no trailing zeros.
inline std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

/// "32 -> 7".
inline std::string widths(std::int64_t in, std::int64_t out) {
  return std::to_string(in) + " -> " + std::to_string(out);
}

}  // namespace hgnet
