#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace hgnet {

/// Whether a JSON text is nested more deeply than any of our files. Copying and writing a value
/// uses stack for every level, so readers ask before they parse.
inline bool is_nested_deeply(std::string_view json) {
  constexpr int kDeepest = 64;
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
      if (++depth > kDeepest) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

/// Parses a file's JSON. Throws nlohmann::json::exception for invalid or deeply nested text.
template <class Json = nlohmann::json>
Json parse_shallow_json(std::string_view text) {
  if (is_nested_deeply(text))
    throw Json::other_error::create(501, "values are nested more than 64 deep", nullptr);
  return Json::parse(text);
}

}  // namespace hgnet
