// Shared by the fuzz targets. Each defines LLVMFuzzerTestOneInput, which may fail only with an
// hgnet::Error; replay.cpp runs the same functions on stored inputs in every build.

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace hgnet::fuzz {

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Splits the input at its zero bytes into files of these names; if there are too few, files are
/// missing.
inline std::map<std::string, std::string> files_of(const std::string& input,
                                                   std::initializer_list<const char*> names) {
  std::map<std::string, std::string> files;
  std::size_t begin = 0;
  for (const char* name : names) {
    if (begin > input.size()) break;
    const std::size_t end = std::min(input.find('\0', begin), input.size());
    files[name] = input.substr(begin, end - begin);
    begin = end + 1;
  }
  return files;
}

}  // namespace hgnet::fuzz
