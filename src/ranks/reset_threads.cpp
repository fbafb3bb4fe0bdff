#include "ranks/reset_threads.hpp"

#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <system_error>

namespace hgnet {
namespace {

std::terminate_handler earlier_handler = nullptr;

[[noreturn]] void hold_or_end() {
  try {
    if (const auto thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::system_error& error) {
    const bool reset = error.code() == std::errc::connection_reset;
    while (reset && ::gettid() != ::getpid()) ::pause();
  } catch (...) {
  }
  if (earlier_handler != nullptr) earlier_handler();
  std::abort();
}

}  // namespace

void hold_reset_threads() {
  [[maybe_unused]] static const bool once = [] {
    earlier_handler = std::set_terminate(hold_or_end);
    return true;
  }();
}

}  // namespace hgnet
