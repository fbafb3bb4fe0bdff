#pragma once

namespace hgnet {

/// While it lives, a first SIGINT (Ctrl-C) or SIGTERM only sets a flag, so that work can end at a good place; a second one
/// ends the program at once. What the signals did before is restored by the destructor. A signal that was ignored stays
/// ignored (nohup, jobs in the background). Guards within the life of another share its flag.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// Cheap, from any thread.
  bool requested() const { return signal() != 0; }
  /// The signal that came, or 0.
  int signal() const;
};

}  // namespace hgnet
