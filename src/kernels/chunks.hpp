// Sums over all rows: computed per chunk of rows, independent of the threads, and added in the
// order of the chunks. So the result is bitwise the same for any number of threads.

#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "graph/row_parallel.hpp"

namespace hgnet::kernels {

/// Rows per chunk for a pass over the rows of one matrix.
inline constexpr std::int64_t kRowsPerChunk = 256;

inline std::int64_t num_chunks(std::int64_t rows, std::int64_t rows_per_chunk = kRowsPerChunk) {
  return (rows + rows_per_chunk - 1) / rows_per_chunk;
}

/// Calls range(begin, end, chunk) for all chunks, from the last to the first: the last rows have
/// just been written, and the next pass, which starts at the first row, finds the first rows in the
/// cache.
template <class Range>
void for_chunks(std::int64_t rows, std::int64_t channels, int threads, const Range& range) {
  for_row_ranges(num_chunks(rows), kRowsPerChunk * channels * 4, threads,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t c = end; c-- > begin;)
                     range(c * kRowsPerChunk, std::min(rows, (c + 1) * kRowsPerChunk), c);
                 });
}

/// sum_i = partial_i + partial_{size + i} + ..., for i < size.
template <class T, class Sum>
void add_up(const std::vector<T>& partial, std::int64_t size, Sum* sum) {
  std::fill(sum, sum + size, Sum{0});
  for (auto from = partial.begin(); from != partial.end(); from += size)
    std::transform(sum, sum + size, from, sum, [](Sum a, T b) { return a + b; });
}

}  // namespace hgnet::kernels
