#pragma once

#include <functional>
#include <string>

namespace hgnet::test {

/// The message of the Kind of error that f throws; "no error" if it throws none.
template <class Kind>
std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Kind& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace hgnet::test
