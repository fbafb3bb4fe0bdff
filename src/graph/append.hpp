#pragma once

#include <algorithm>
#include <span>
#include <vector>

namespace hgnet {

/// Appends map(x) for every x. Unlike a loop of push_back, this is vectorised.
template <class T, class From, class Map>
void append_mapped(std::vector<T>& to, std::span<From> from, const Map& map) {
  const std::size_t begin = to.size();
  to.resize(begin + from.size());
  std::transform(from.begin(), from.end(), to.data() + begin, map);
}

}  // namespace hgnet
