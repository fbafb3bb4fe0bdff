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

/// Throws InvalidFile for text that is not JSON, holds a number that is out of range, or nests
/// deeper than kMaxNesting. `line` is the file's line on which the text begins; `expected`, such as
/// "expected folds", ends the message.
template <class Json = nlohmann::json>
Json parse_json(std::string_view text, const std::string& file, std::int64_t line = 1,
                const std::string& expected = "expected a JSON object") {
  const auto shallow = [&](int depth, typename Json::parse_event_t event, Json&) {
    const bool opens =
        event == Json::parse_event_t::array_start || event == Json::parse_event_t::object_start;
    if (opens && depth >= kMaxNesting) {
      throw InvalidFile(
          file, line,
          "is nested deeper than " + std::to_string(kMaxNesting) + " levels; " + expected);
    }
    return true;
  };
  try {
    return Json::parse(text, shallow);
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
