#include <algorithm>
#include <vector>

#include "graph/row_parallel.hpp"
#include "ops/cpu/dispatch.hpp"
#include "ops/cpu/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/cpu/linear.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "ops/cpu/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hgnet::cpu::HWY_NAMESPACE {

/// Rows of the result that are worked on together, so that each vector of B is loaded once for all of them: as many as leave
/// registers for the vectors of B.
template <int kVectors>
constexpr int rows_together() {
  return kVectors <= 2 ? 8 : kVectors == 3 ? 6 : 4;
}

/// y_r = x_r B for kRows rows from r on, the columns of `block`.
template <int kRows, class D, int kVectors, class T>
HWY_INLINE void product_tile(D d, Block<D, kVectors> block, const T* HWY_RESTRICT x,
                             std::int64_t inner, const T* HWY_RESTRICT b, std::int64_t width,
                             T* HWY_RESTRICT y) {
  using V = hn::Vec<D>;
  V sum[kRows][kVectors];
  for (int r = 0; r < kRows; ++r)
    for (int i = 0; i < kVectors; ++i) sum[r][i] = hn::Zero(d);
  for (std::int64_t k = 0; k < inner; ++k) {
    V row[kVectors];
    for (int i = 0; i < kVectors; ++i) row[i] = hn::LoadU(d, b + k * width + block.place(d, i));
    for (int r = 0; r < kRows; ++r) {
      const V factor = hn::Set(d, x[r * inner + k]);
      for (int i = 0; i < kVectors; ++i) sum[r][i] = hn::MulAdd(factor, row[i], sum[r][i]);
    }
  }
  for (int r = 0; r < kRows; ++r)
    for (int i = 0; i < kVectors; ++i) hn::StoreU(sum[r][i], d, y + r * width + block.place(d, i));
}

template <class D, int kVectors, class T>
HWY_NOINLINE void product_rows(D d, Block<D, kVectors> block, const T* x, std::int64_t inner,
                               const T* b, std::int64_t width, T* y, std::int64_t begin,
                               std::int64_t end) {
  constexpr int kRows = rows_together<kVectors>();
  std::int64_t r = begin;
  for (; r + kRows <= end; r += kRows)
    product_tile<kRows>(d, block, x + r * inner, inner, b, width, y + r * width);
  for (; r < end; ++r) product_tile<1>(d, block, x + r * inner, inner, b, width, y + r * width);
}

/// sum over rows r of a_r^T b_r, kRows rows of the result from `row` on, the columns of `block`.
template <int kRows, class D, int kVectors, class T>
HWY_INLINE void outer_tile(D d, Block<D, kVectors> block, const T* HWY_RESTRICT a,
                           std::int64_t a_width, std::int64_t row, const T* HWY_RESTRICT b,
                           std::int64_t b_width, T* HWY_RESTRICT out, std::int64_t begin,
                           std::int64_t end) {
  using V = hn::Vec<D>;
  V sum[kRows][kVectors];
  for (int o = 0; o < kRows; ++o)
    for (int i = 0; i < kVectors; ++i) sum[o][i] = hn::Zero(d);
  for (std::int64_t r = begin; r < end; ++r) {
    V values[kVectors];
    for (int i = 0; i < kVectors; ++i)
      values[i] = hn::LoadU(d, b + r * b_width + block.place(d, i));
    for (int o = 0; o < kRows; ++o) {
      const V factor = hn::Set(d, a[r * a_width + row + o]);
      for (int i = 0; i < kVectors; ++i) sum[o][i] = hn::MulAdd(factor, values[i], sum[o][i]);
    }
  }
  for (int o = 0; o < kRows; ++o)
    for (int i = 0; i < kVectors; ++i)
      hn::StoreU(sum[o][i], d, out + (row + o) * b_width + block.place(d, i));
}

template <class D, int kVectors, class T>
HWY_NOINLINE void outer_rows(D d, Block<D, kVectors> block, const T* a, std::int64_t a_width,
                             const T* b, std::int64_t b_width, T* out, std::int64_t begin,
                             std::int64_t end) {
  constexpr int kRows = rows_together<kVectors>();
  std::int64_t row = 0;
  for (; row + kRows <= a_width; row += kRows)
    outer_tile<kRows>(d, block, a, a_width, row, b, b_width, out, begin, end);
  for (; row < a_width; ++row)
    outer_tile<1>(d, block, a, a_width, row, b, b_width, out, begin, end);
}

#define HGNET_FOR_TYPE(T, name)                                                                 \
  void product_##name(const T* x, std::int64_t inner, const T* b, std::int64_t width, T* y,     \
                      std::int64_t begin, std::int64_t end) {                                   \
    for_blocks<T, 4>(width, [&](auto d, auto block) HWY_ATTR {                                  \
      product_rows(d, block, x, inner, b, width, y, begin, end);                                \
    });                                                                                         \
  }                                                                                             \
  void outer_##name(const T* a, std::int64_t a_width, const T* b, std::int64_t b_width, T* out, \
                    std::int64_t begin, std::int64_t end) {                                     \
    for_blocks<T, 4>(b_width, [&](auto d, auto block) HWY_ATTR {                                \
      outer_rows(d, block, a, a_width, b, b_width, out, begin, end);                            \
    });                                                                                         \
  }
HGNET_FOR_TYPE(float, f32)
HGNET_FOR_TYPE(double, f64)
#undef HGNET_FOR_TYPE

}  // namespace hgnet::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hgnet::cpu {

HWY_EXPORT(product_f32);
HWY_EXPORT(product_f64);
HWY_EXPORT(outer_f32);
HWY_EXPORT(outer_f64);

template <class T>
void row_products(std::int64_t rows, std::int64_t inner, std::int64_t width, const T* x, const T* b,
                  T* y, int threads) {
  for_row_ranges(rows, inner * width / 4, threads, [&](std::int64_t begin, std::int64_t end) {
    HGNET_DISPATCH(T, product, x, inner, b, width, y, begin, end);
  });
}

template <class T>
void outer_products(std::int64_t rows, std::int64_t a_width, std::int64_t b_width, const T* a,
                    const T* b, T* out, int threads) {
  // By fixed stretches of rows, whatever the threads, added up in order.
  constexpr std::int64_t kRowsPerSum = 1024;
  const std::int64_t chunks = std::max<std::int64_t>((rows + kRowsPerSum - 1) / kRowsPerSum, 1);
  const std::int64_t size = a_width * b_width;
  std::vector<T> partial(chunks * size);
  for_row_ranges(
      chunks, kRowsPerSum * size / 4, threads, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t c = first; c < last; ++c) {
          const std::int64_t begin = c * kRowsPerSum;
          const std::int64_t end = std::min(rows, begin + kRowsPerSum);
          HGNET_DISPATCH(T, outer, a, a_width, b, b_width, partial.data() + c * size, begin, end);
        }
      });
  std::copy(partial.begin(), partial.begin() + size, out);
  for (std::int64_t c = 1; c < chunks; ++c)
    for (std::int64_t i = 0; i < size; ++i) out[i] += partial[c * size + i];
}

#define HGNET_INSTANTIATE(T)                                                                     \
  template void row_products(std::int64_t, std::int64_t, std::int64_t, const T*, const T*, T*,   \
                             int);                                                               \
  template void outer_products(std::int64_t, std::int64_t, std::int64_t, const T*, const T*, T*, \
                               int);
HGNET_INSTANTIATE(float)
HGNET_INSTANTIATE(double)
#undef HGNET_INSTANTIATE

}  // namespace hgnet::cpu
#endif
