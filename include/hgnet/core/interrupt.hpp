#pragma once

namespace hgnet {

/// While an instance exists, the first SIGINT (Ctrl-C) or SIGTERM only sets a flag, so that work
/// can stop at a safe point; a second one ends the program at once. The destructor restores the
/// previous handlers. A signal that was ignored stays ignored (nohup, background jobs). Nested
/// guards share one flag.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// Cheap; may be called from any thread.
  bool requested() const { return signal() != 0; }
  /// The signal received, or 0.
  int signal() const;
};

}  // namespace hgnet
