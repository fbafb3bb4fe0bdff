#pragma once

#include <chrono>

namespace hgnet {

/// Starts when constructed.
class Stopwatch {
 public:
  Stopwatch() = default;
  explicit Stopwatch(std::chrono::steady_clock::time_point begin) : begin_(begin) {}

  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace hgnet
