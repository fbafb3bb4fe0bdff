#include "hgnet/core/error_text.hpp"

#include <algorithm>
#include <filesystem>
#include <new>
#include <string_view>

namespace hgnet {

std::string error_text(const std::exception& error) {
  constexpr const char* kNoMemory = "there is not enough memory";
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return kNoMemory;
  if (const auto* failed = dynamic_cast<const std::filesystem::filesystem_error*>(&error)) {
    const std::string place = failed->path1().empty() ? "a folder" : failed->path1().string();
    return "cannot use " + place + ": " + failed->code().message();
  }
  const std::string text = error.what();
  if (text.find("DefaultCPUAllocator: can't allocate memory") != std::string::npos)
    return kNoMemory;
  // What c10::Error puts below its message; its type is known only where torch is.
  std::size_t end = text.size();
  for (const std::string_view stack : {"\nException raised from ", "\nframe #0: "})
    end = std::min(end, text.find(stack));
  return text.substr(0, end);
}

}  // namespace hgnet
