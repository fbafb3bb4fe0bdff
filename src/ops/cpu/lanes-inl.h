// Rows of any width in vector registers, without masks. Per-target: no include guard of the usual
// kind, see Highway's foreach_target.h.

#if defined(HGNET_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HGNET_LANES_INL_H_
#undef HGNET_LANES_INL_H_
#else
#define HGNET_LANES_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "hgnet/core/ids.hpp"

HWY_BEFORE_NAMESPACE();
namespace hgnet::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// At most this many vectors of a row are held in registers at once.
inline constexpr int kMaxVectors = 8;

/// Places of `kVectors` vectors that cover columns begin .. begin + width - 1. The last vector is moved
/// back to end with the columns, so it may overlap the one before: both then compute the same values
/// for the columns they share, which makes masks unnecessary.
template <class D, int kVectors>
struct Block {
  static constexpr int kCount = kVectors;
  std::int64_t begin;
  std::int64_t last;  // place of the last vector

  HWY_INLINE std::int64_t place(D d, int i) const {
    return i + 1 == kVectors ? last : begin + i * static_cast<std::int64_t>(hn::Lanes(d));
  }
};

/// Calls body(d, block) with one block after the other until all `channels` columns are covered, in
/// vectors of the largest size that is not wider than the row.
template <class D, class Body>
HWY_INLINE void for_blocks_of(D d, std::int64_t channels, const Body& body) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t begin = 0; begin < channels;) {
    const std::int64_t vectors = (channels - begin + lanes - 1) / lanes;
    const std::int64_t last =
        vectors <= kMaxVectors ? channels - lanes : begin + (kMaxVectors - 1) * lanes;
    switch (vectors) {
      case 1: body(d, Block<D, 1>{begin, last}); break;
      case 2: body(d, Block<D, 2>{begin, last}); break;
      case 3: body(d, Block<D, 3>{begin, last}); break;
      case 4: body(d, Block<D, 4>{begin, last}); break;
      case 5: body(d, Block<D, 5>{begin, last}); break;
      case 6: body(d, Block<D, 6>{begin, last}); break;
      case 7: body(d, Block<D, 7>{begin, last}); break;
      default: body(d, Block<D, kMaxVectors>{begin, last}); break;
    }
    begin += kMaxVectors * lanes;
  }
}

/// A row narrower than d's vectors: one or two vectors of half the size, or of half of that ...
template <class D, class Body>
HWY_INLINE void for_narrow_blocks(D d, std::int64_t channels, const Body& body) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  if (channels >= lanes) {
    if (channels == lanes) {
      body(d, Block<D, 1>{0, 0});
    } else {
      body(d, Block<D, 2>{0, channels - lanes});
    }
    return;
  }
  if constexpr (hn::MaxLanes(D()) > 1) {
    for_narrow_blocks(hn::CappedTag<hn::TFromD<D>, hn::MaxLanes(D()) / 2>(), channels, body);
  }
}

template <class T, class Body>
HWY_INLINE void for_blocks(std::int64_t channels, const Body& body) {
  const hn::ScalableTag<T> d;
  if (channels >= static_cast<std::int64_t>(hn::Lanes(d))) {
    for_blocks_of(d, channels, body);
  } else if constexpr (hn::MaxLanes(d) > 1) {
    for_narrow_blocks(hn::CappedTag<T, hn::MaxLanes(d) / 2>(), channels, body);
  }
}

/// How many slots ahead of its use a row is fetched, and from which size of the whole operand on. The
/// hardware cannot guess the next row of a gather. Far ahead and into the second-level cache, since most of
/// the wait is for the page table; every other line, since lines come in pairs. Measured: docs/performance.md.
inline constexpr EdgeId kFetchAhead = 64;
inline constexpr std::int64_t kFetchFromBytes = 1 << 20;

template <class T>
HWY_INLINE void fetch_row(const T* row, std::int64_t channels) {
  constexpr std::int64_t kStep = 128 / sizeof(T);
  for (std::int64_t c = 0; c < channels; c += kStep) __builtin_prefetch(row + c, 0, 2);
}

/// sum of x_i y_i over i < n. Whole vectors first, what is left in ever smaller ones.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE T dot(D d, const T* x, const T* y, std::int64_t n) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  T sum = 0;
  std::int64_t i = 0;
  if (n >= lanes) {
    auto total = hn::Mul(hn::LoadU(d, x), hn::LoadU(d, y));
    for (i = lanes; i + lanes <= n; i += lanes) {
      total = hn::MulAdd(hn::LoadU(d, x + i), hn::LoadU(d, y + i), total);
    }
    sum = hn::GetLane(hn::SumOfLanes(d, total));
  }
  if constexpr (hn::MaxLanes(D()) > 1) {
    if (i < n) sum += dot(hn::CappedTag<T, hn::MaxLanes(D()) / 2>(), x + i, y + i, n - i);
  }
  return sum;
}

}  // namespace hgnet::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
