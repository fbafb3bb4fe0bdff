#pragma once

#include <cstdlib>
#include <filesystem>

namespace hgnet {

/// The folder in the environment variable `variable`, or else hgnet/NAME in the user's cache folder
/// (XDG_CACHE_HOME, ~/.cache).
inline std::filesystem::path user_folder(const char* variable, const char* name) {
  const auto value = [](const char* of) -> std::filesystem::path {
    const char* text = std::getenv(of);
    return text == nullptr ? "" : text;
  };
  if (auto chosen = value(variable); !chosen.empty()) return chosen;
  if (const auto cache = value("XDG_CACHE_HOME"); !cache.empty()) return cache / "hgnet" / name;
  const auto home = value("HOME");
  return (home.empty() ? std::filesystem::temp_directory_path() : home / ".cache") / "hgnet" / name;
}

}  // namespace hgnet
