// Mean and variance of columns in one pass over memory. A chunk of rows is traversed twice while it
// stays in the first-level cache, for its mean and for the deviations from it; the chunks are then
// shifted to the overall mean.

#include "kernels/column_moments.hpp"

#include <algorithm>
#include <vector>

#include "kernels/chunks.hpp"
#include "kernels/export.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/column_moments.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include "kernels/lanes-inl.h"

#ifndef HGNET_COLUMN_MOMENTS_ARGS
#define HGNET_COLUMN_MOMENTS_ARGS
namespace hgnet::kernels {

/// By column, for the rows of a chunk: a number close to their mean, and the sums of z - mean and
/// (z - mean)^2.
template <class T>
struct ChunkMoments {
  T* mean;
  T* rest;
  T* square;
};

}  // namespace hgnet::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace hgnet::kernels::HWY_NAMESPACE {

template <class Group, class T>
HWY_NOINLINE void moments_columns(Group group, const T* z, std::int64_t channels,
                                  const ChunkMoments<T>& out, std::int64_t begin,
                                  std::int64_t end) {
  auto mean = group.all(T{0});
  auto rest = group.all(T{0});
  auto square = group.all(T{0});
  for (std::int64_t r = begin; r < end; ++r) group.add(z + r * channels, mean);
  group.scale(T{1} / static_cast<T>(end - begin), mean);
  for (std::int64_t r = begin; r < end; ++r) {
    const auto row = group.load(z + r * channels);
    for (int i = 0; i < Group::kCount; ++i) {
      const auto from_mean = hn::Sub(row.v[i], mean.v[i]);
      rest.v[i] = hn::Add(rest.v[i], from_mean);
      square.v[i] = hn::MulAdd(from_mean, from_mean, square.v[i]);
    }
  }
  group.store(mean, out.mean);
  group.store(rest, out.rest);
  group.store(square, out.square);
}

template <class T>
void moments_rows(const T* z, std::int64_t channels, const ChunkMoments<T>& out, std::int64_t begin,
                  std::int64_t end) {
  for_groups<T, 4>(
      channels, [&](auto group) HWY_ATTR { moments_columns(group, z, channels, out, begin, end); });
}

}  // namespace hgnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hgnet::kernels {

template <class T>
void column_moments(std::int64_t rows, std::int64_t channels, const T* z, double* mean,
                    double* square, int threads) {
  const std::int64_t chunks = num_chunks(rows);
  std::vector<T> parts(3 * chunks * channels);
  const auto of_chunk = [&](std::int64_t chunk) {
    T* at = parts.data() + 3 * chunk * channels;
    return ChunkMoments<T>{at, at + channels, at + 2 * channels};
  };
  for_chunks(rows, channels, threads,
             [&](std::int64_t begin, std::int64_t end, std::int64_t chunk) {
               HGNET_BEST(moments_rows<T>)(z, channels, of_chunk(chunk), begin, end);
             });
  const auto size = [&](std::int64_t chunk) {
    return static_cast<double>(std::min(kRowsPerChunk, rows - chunk * kRowsPerChunk));
  };
  std::fill(mean, mean + channels, 0.0);
  std::fill(square, square + channels, 0.0);
  for (std::int64_t i = 0; i < chunks; ++i) {
    const ChunkMoments<T> chunk = of_chunk(i);
    for (std::int64_t c = 0; c < channels; ++c)
      mean[c] += (size(i) * chunk.mean[c] + chunk.rest[c]) / static_cast<double>(rows);
  }
  // Shifted from the chunk's centre to the overall mean.
  for (std::int64_t i = 0; i < chunks; ++i) {
    const ChunkMoments<T> chunk = of_chunk(i);
    for (std::int64_t c = 0; c < channels; ++c) {
      const double off = chunk.mean[c] - mean[c];
      square[c] += chunk.square[c] + 2 * off * chunk.rest[c] + size(i) * off * off;
    }
  }
}
HGNET_EXPORT(column_moments);

}  // namespace hgnet::kernels
#endif
