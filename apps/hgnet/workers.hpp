// The other processes of a training on this machine.

#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace hgnet::app {

/// Copies of this program that train together with it: it is rank 0, they are the others.
class Workers {
 public:
  /// `arguments` are the program's own; the copies get them without --workers.
  Workers(int size, const std::vector<std::string>& arguments);
  /// Waits until all have ended, and ends those that do not.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// They find rank 0 at the port. Throws Error if they cannot be started.
  void start(std::uint16_t port);
  /// A text if one of them has ended, else empty.
  std::string one_has_ended();

 private:
  struct Worker {
    pid_t process = 0;
    int rank = 0;
  };

  int size_;
  std::vector<std::string> arguments_;
  std::vector<Worker> running_;
};

}  // namespace hgnet::app
