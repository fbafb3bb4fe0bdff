#include "hgnet/train/error_text.hpp"

#include <c10/util/Exception.h>

#include <new>

namespace hgnet {

std::string error_text(const std::exception& error) {
  constexpr const char* kNoMemory = "there is not enough memory";
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return kNoMemory;
  if (const auto* of_torch = dynamic_cast<const c10::Error*>(&error)) {
    const std::string text = of_torch->what_without_backtrace();
    return text.find("can't allocate memory") == std::string::npos ? text : kNoMemory;
  }
  return error.what();
}

}  // namespace hgnet
