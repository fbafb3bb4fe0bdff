#include "hgnet/core/interrupt.hpp"

#include <array>
#include <atomic>
#include <csignal>
#include <mutex>

namespace hgnet {
namespace {

struct Handled {
  int signal;
  struct sigaction before;
};

// Per process, like signals.
std::atomic<int> came = 0;
static_assert(std::atomic<int>::is_always_lock_free);  // otherwise a handler must not touch it
std::mutex mutex;
int guards = 0;
std::array<Handled, 2> handled{{{SIGINT, {}}, {SIGTERM, {}}}};

/// Restores the default action for the next signal of either kind.
extern "C" void on_signal(int signal) {
  came.store(signal);
  for (const Handled& each : handled) {
    if (each.before.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = SIG_DFL;
    sigaction(each.signal, &action, nullptr);
  }
}

void install() {
  came.store(0);
  for (Handled& each : handled) {
    sigaction(each.signal, nullptr, &each.before);
    if (each.before.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;  // no read or write fails because of it
    sigaction(each.signal, &action, nullptr);
  }
}

}  // namespace

InterruptGuard::InterruptGuard() {
  const std::lock_guard lock(mutex);
  if (guards++ == 0) install();
}

InterruptGuard::~InterruptGuard() {
  const std::lock_guard lock(mutex);
  if (--guards > 0) return;
  for (const Handled& each : handled) sigaction(each.signal, &each.before, nullptr);
}

int InterruptGuard::signal() const { return came.load(); }

}  // namespace hgnet
