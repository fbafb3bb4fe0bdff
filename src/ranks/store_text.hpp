// Text in c10d's store, and of its errors.

#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <vector>

namespace hgnet {

inline std::vector<std::uint8_t> bytes_of(const std::string& text) {
  return {text.begin(), text.end()};
}

inline std::string text_of(const std::vector<std::uint8_t>& bytes) {
  return {bytes.begin(), bytes.end()};
}

inline std::string rank_key(const char* what, int rank) { return what + std::to_string(rank); }

/// The first line of an error of libtorch: the rest is where it was thrown.
inline std::string reason_of(const std::exception& error) {
  const std::string text = error.what();
  return text.substr(0, text.find('\n'));
}

}  // namespace hgnet
