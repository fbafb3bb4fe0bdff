// JSON and TOML from files. Both nest as deeply as their writer likes, and most of what goes over
// them calls itself for every level, so no reader parses without this limit.

#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "hgnet/core/error.hpp"

namespace hgnet {

/// Lists and tables within one another; no file of this project has more than a handful.
inline constexpr int kMaxNesting = 64;

/// Whether the lists and objects of a JSON text nest deeper than kMaxNesting.
inline bool is_nested_deeply(std::string_view json) {
  int depth = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_text) {
      if (c == '\\') ++i;
      in_text = c != '"';
    } else if (c == '"') {
      in_text = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMaxNesting) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

/// What the parser says, without its number for it, as "[json.exception.type_error.302] ".
inline std::string json_fault(const nlohmann::json::exception& error) {
  const std::string_view text = error.what();
  const std::size_t end = text.find("] ");
  return std::string(end == std::string_view::npos ? text : text.substr(end + 2));
}

/// Throws nlohmann::json::exception for invalid or deeply nested text.
template <class Json = nlohmann::json>
Json parse_shallow_json(std::string_view text) {
  if (is_nested_deeply(text))
    throw nlohmann::json::other_error::create(501, "values are nested more than 64 deep", nullptr);
  return Json::parse(text);
}

/// Throws InvalidFile for text that is not JSON, holds a number that is out of range, or is nested
/// deeply. `line` is the file's line on which the text begins; `expected`, such as "expected
/// folds", ends the message.
template <class Json = nlohmann::json>
Json parse_json(std::string_view text, const std::string& file, std::int64_t line = 1,
                const std::string& expected = "expected a JSON object") {
  if (is_nested_deeply(text))
    throw InvalidFile(
        file, line,
        "is nested deeper than " + std::to_string(kMaxNesting) + " levels; " + expected);
  try {
    return Json::parse(text);
  } catch (const typename Json::parse_error& error) {
    const std::size_t byte = std::min(error.byte, text.size());
    throw InvalidFile(file, line + std::count(text.begin(), text.begin() + byte, '\n'),
                      "is not JSON at byte " + std::to_string(byte) + "; " + expected);
  } catch (const typename Json::exception&) {  // a number such as 3e333
    throw InvalidFile(file, line, "contains a number that is out of range; " + expected);
  }
}

/// Throws InvalidFile, with the line, for TOML whose lists, tables and dotted keys nest deeper than
/// kMaxNesting. Whether the text is TOML is left to its parser.
void check_toml_nesting(std::string_view text, const std::string& file);

}  // namespace hgnet
