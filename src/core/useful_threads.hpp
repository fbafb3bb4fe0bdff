#pragma once

#include <algorithm>
#include <thread>

namespace hgnet {

/// As many of the wanted threads as there are cores: more only wait for each other, and thousands
/// that spin while they wait never end. Results do not depend on the number.
inline int useful_threads(int wanted) {
  return std::clamp(wanted, 1, std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
}

}  // namespace hgnet
