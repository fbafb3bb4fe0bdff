#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace hgnet {

/// At most six digits, no trailing zeros.
inline std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

/// What keeps `text` from being a name: "a control character" or "a byte that is not UTF-8"; null
/// if nothing does. Neither can be written to JSON or TOML and read again, nor shown on a terminal.
const char* text_fault(std::string_view text);

/// The text with such characters as \x1b.
std::string printable(std::string_view text);
/// The same for text of several lines: ends of lines and tabs stay what they are.
std::string printable_lines(std::string_view text);

/// The text as a cell of a csv file: in quotes where it needs them. Spreadsheets take a cell that
/// begins with =, +, - or @ for a formula, so such text gets an apostrophe before it unless it is a
/// number.
std::string csv_cell(std::string_view text);

/// The same in quotes, cut off after some 60 bytes: how errors show what a file has.
std::string in_quotes(std::string_view text);

/// "32 -> 7".
inline std::string widths(std::int64_t in, std::int64_t out) {
  return std::to_string(in) + " -> " + std::to_string(out);
}

}  // namespace hgnet
