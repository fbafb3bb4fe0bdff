#pragma once

#include <algorithm>
#include <cstdint>

#include "core/parallel.hpp"
#include "hgnet/graph/csr.hpp"

namespace hgnet {

/// Below this many scalar operations per thread (some 50 microseconds), waking threads costs more
/// than it saves.
inline constexpr std::int64_t kWorkPerThread = 1 << 19;

inline int useful_threads(std::int64_t work, int threads) {
  return static_cast<int>(std::clamp<std::int64_t>(work / kWorkPerThread, 1, threads));
}

/// The first row of `part` of `parts` if rows are split so that each part has about the same number
/// of rows plus slots: a few rows of high degree then do not hold up the others.
inline std::int64_t first_row(const CsrView& a, int part, int parts) {
  const std::int64_t rows = a.num_rows();
  const std::int64_t goal = (rows + a.num_slots()) / parts * part;
  if (part == 0) return 0;
  if (part == parts) return rows;
  std::int64_t low = 0;
  std::int64_t high = rows;
  while (low < high) {
    const std::int64_t middle = (low + high) / 2;
    if (a.offsets[middle] + middle < goal) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// Calls body(begin, end) for row ranges that together cover every row once, each on one thread.
template <class Body>
void for_row_ranges(const CsrView& a, std::int64_t work_per_slot, int threads, Body&& body) {
  const int parts = useful_threads((a.num_rows() + a.num_slots()) * work_per_slot, threads);
  run_parts(parts,
            [&](int part) { body(first_row(a, part, parts), first_row(a, part + 1, parts)); });
}

/// The same for rows of equal cost.
template <class Body>
void for_row_ranges(std::int64_t num_rows, std::int64_t work_per_row, int threads, Body&& body) {
  const int parts = useful_threads(num_rows * work_per_row, threads);
  run_parts(parts, [&](int part) { body(num_rows * part / parts, num_rows * (part + 1) / parts); });
}

}  // namespace hgnet
