#pragma once

#include <atomic>
#include <memory>
#include <mutex>

namespace hgnet {

/// A value that is computed on first use and kept; safe to use from several threads.
template <class T>
class Lazy {
 public:
  /// The kept value; computed by `make()` if there is none yet.
  template <class Make>
  const T& get(Make&& make) const {
    if (const T* kept = peek()) return *kept;
    const std::scoped_lock lock(mutex_);
    if (!value_) {
      value_ = std::make_unique<const T>(make());
      ready_.store(value_.get(), std::memory_order_release);
    }
    return *value_;
  }

  /// The kept value, or null if it has not been computed yet.
  const T* peek() const { return ready_.load(std::memory_order_acquire); }

 private:
  mutable std::mutex mutex_;
  mutable std::unique_ptr<const T> value_;
  mutable std::atomic<const T*> ready_{nullptr};
};

}  // namespace hgnet
