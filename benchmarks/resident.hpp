#pragma once

#include <cstdlib>
#include <fstream>
#include <string>

namespace hgnet {

/// Megabytes of this process, by a field of /proc/self/status such as VmHWM, the most, or RssAnon.
inline double resident(const std::string& field) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(field + ":"))
      return std::strtod(line.c_str() + field.size() + 1, nullptr) / 1e3;
  }
  return 0;
}

}  // namespace hgnet
