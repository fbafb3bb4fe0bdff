#pragma once

#include <algorithm>
#include <span>

#include "hgnet/core/ids.hpp"

namespace hgnet {

/// Short rows are a few ascending runs, so that insertion is faster than a general sort.
inline void sort_row(std::span<NodeId> row) {
  constexpr std::size_t kShortRow = 24;
  if (row.size() > kShortRow) {
    std::sort(row.begin(), row.end());
    return;
  }
  for (std::size_t i = 1; i < row.size(); ++i) {
    const NodeId q = row[i];
    std::size_t j = i;
    for (; j > 0 && row[j - 1] > q; --j) row[j] = row[j - 1];
    row[j] = q;
  }
}

}  // namespace hgnet
