#pragma once

#include <cstdint>
#include <vector>

namespace hgnet {

/// The samples of each part: nodes for a node task, graphs for a graph task. Ascending.
struct Split {
  std::vector<std::int64_t> train;
  std::vector<std::int64_t> val;
  std::vector<std::int64_t> test;

  bool operator==(const Split&) const = default;
};

}  // namespace hgnet
