#pragma once

#include <mutex>
#include <utility>
#include <vector>

namespace hgnet {

/// Keeps what has failed, an engine or a store, to the end of the process, which is near: its
/// destructor would wait for exchanges that a rank that is gone never ends, or for a thread that is
/// held (reset_threads.hpp).
template <class Owner>
void leave_behind(Owner owner) {
  static std::mutex mutex;
  static auto& left_behind = *new std::vector<Owner>;
  const std::scoped_lock lock(mutex);
  left_behind.push_back(std::move(owner));
}

}  // namespace hgnet
