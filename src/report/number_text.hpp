#pragma once

#include <cstdio>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "hgnet/records/metrics.hpp"

namespace hgnet {

/// A number as printf writes it.
template <class... Arguments>
std::string printed(const char* form, Arguments... arguments) {
  char text[64];
  std::snprintf(text, sizeof text, form, arguments...);
  return text;
}

inline std::string fixed(double value, int digits) { return printed("%.*f", digits, value); }
/// "+1.2", "-0.3".
inline std::string signed_fixed(double value, int digits) {
  return printed("%+.*f", digits, value);
}

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

/// "Table 1" of "Table 1. Legacy graph benchmarks".
inline std::string short_title(const std::string& title) {
  return title.substr(0, title.find(". "));
}

/// " (quick)", or nothing for an empty text.
inline std::string bracketed(const std::string& text) {
  return text.empty() ? "" : " (" + text + ")";
}

/// Appends a piece, with a separator unless it is the first. Nothing for an empty piece.
inline void append(std::string& text, const std::string& separator, const std::string& piece) {
  text += (text.empty() || piece.empty() ? "" : separator) + piece;
}

/// What `text` makes of each item, with separators between them.
template <class Items, class Text = std::identity>
std::string joined(const Items& items, const std::string& separator, const Text& text = {}) {
  std::string result;
  bool first = true;
  for (const auto& item : items) {
    result += (first ? "" : separator) + text(item);
    first = false;
  }
  return result;
}

using Escapes = std::map<char, std::string_view>;

/// The text with these characters replaced by what stands for them, and with a backslash before
/// those others.
inline std::string escaped(std::string_view text, const Escapes& escapes,
                           std::string_view with_backslash = {}) {
  std::string result;
  for (const char c : text) {
    if (with_backslash.find(c) != std::string_view::npos) result += '\\';
    const auto found = escapes.find(c);
    result += found == escapes.end() ? std::string_view(&c, 1) : found->second;
  }
  return result;
}

}  // namespace hgnet
