// What the fuzz targets share. Each defines LLVMFuzzerTestOneInput, to which nothing may happen but
// an hgnet::Error; replay.cpp runs the same functions over kept inputs in every build.

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

/// The input cut at its zero bytes, as the files of these names; one too few is a missing file.
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
