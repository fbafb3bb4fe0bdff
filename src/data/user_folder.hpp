#pragma once

#include <cstdlib>
#include <filesystem>

namespace hgnet {

/// What the environment's `variable` says, or else hgnet/NAME in the user's cache folder
/// (XDG_CACHE_HOME, ~/.cache); empty where it names none of these.
inline std::filesystem::path user_folder(const char* variable, const char* name) {
  const auto value = [](const char* of) -> std::filesystem::path {
    const char* text = std::getenv(of);
    return text == nullptr ? "" : text;
  };
  if (auto chosen = value(variable); !chosen.empty()) return chosen;
  if (const auto cache = value("XDG_CACHE_HOME"); !cache.empty()) return cache / "hgnet" / name;
  const auto home = value("HOME");
  return home.empty() ? home : home / ".cache" / "hgnet" / name;
}

}  // namespace hgnet
