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
#include <span>

#include "hgnet/core/ids.hpp"

HWY_BEFORE_NAMESPACE();
namespace hgnet::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// At most this many vectors of a row are held in registers at once.
inline constexpr int kMaxVectors = 8;

/// Places of `kVectors` vectors that cover columns begin .. begin + width - 1. The last vector is
/// moved back to end with the columns, so it may overlap the one before: both then compute the same
/// values for the columns they share, which makes masks unnecessary.
template <class D, int kVectors>
struct Block {
  static constexpr int kCount = kVectors;
  std::int64_t begin;
  std::int64_t last;  // place of the last vector

  HWY_INLINE std::int64_t place(D d, int i) const {
    return i + 1 == kVectors ? last : begin + i * static_cast<std::int64_t>(hn::Lanes(d));
  }
};

/// Calls body with a block of `vectors`, at most kMost, vectors.
template <int kMost, class D, class Body>
HWY_INLINE void with_block(D d, std::int64_t vectors, std::int64_t begin, std::int64_t last,
                           const Body& body) {
  if constexpr (kMost > 1) {
    if (vectors < kMost) {
      with_block<kMost - 1>(d, vectors, begin, last, body);
      return;
    }
  }
  body(d, Block<D, kMost>{begin, last});
}

/// Calls body(d, block) with one block after the other until all `channels` columns are covered, in
/// vectors of the largest size that is not wider than the row, at most kMost of them in a block.
template <int kMost, class D, class Body>
HWY_INLINE void for_blocks_of(D d, std::int64_t channels, const Body& body) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t begin = 0; begin < channels; begin += kMost * lanes) {
    const std::int64_t vectors = (channels - begin + lanes - 1) / lanes;
    const std::int64_t last = vectors <= kMost ? channels - lanes : begin + (kMost - 1) * lanes;
    with_block<kMost>(d, vectors, begin, last, body);
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

template <class T, int kMost = kMaxVectors, class Body>
HWY_INLINE void for_blocks(std::int64_t channels, const Body& body) {
  const hn::ScalableTag<T> d;
  if (channels >= static_cast<std::int64_t>(hn::Lanes(d))) {
    for_blocks_of<kMost>(d, channels, body);
  } else if constexpr (hn::MaxLanes(d) > 1) {
    for_narrow_blocks(hn::CappedTag<T, hn::MaxLanes(d) / 2>(), channels, body);
  }
}

/// Asks for rows of a gather ahead of their use, since the hardware cannot guess them. Far ahead
/// and into the second-level cache, since most of the wait is for the page table. From main memory
/// lines come in pairs, so that every other one is enough; from the shared cache they do not.
/// Operands that fit the caches near the core are left alone. Measured: docs/performance.md.
template <class T>
class RowFetch {
 public:
  RowFetch(const T* x, std::int64_t num_rows, std::int64_t width) : x_(x), width_(width) {
    const std::int64_t bytes = num_rows * width * std::int64_t{sizeof(T)};
    if (bytes > (std::int64_t{1} << 20))
      step_ = (bytes > (std::int64_t{64} << 20) ? 128 : 64) / sizeof(T);
  }

  bool useful() const { return step_ > 0; }

  /// Columns begin .. end - 1 of the row that slot `slot + kAhead` will gather.
  HWY_INLINE void operator()(std::span<const NodeId> columns, EdgeId slot, std::int64_t begin,
                             std::int64_t end) const {
    if (slot + kAhead >= static_cast<EdgeId>(columns.size())) return;
    const T* row = x_ + columns[slot + kAhead] * width_;
    for (std::int64_t c = begin; c < end; c += step_) __builtin_prefetch(row + c, 0, 2);
  }

 private:
  static constexpr EdgeId kAhead = 96;
  const T* x_;
  std::int64_t width_;
  std::int64_t step_ = 0;
};

/// Asks for the `count` numbers from x on ahead of their use. The hardware follows a walk through memory by itself, but only to
/// the end of each page, which is 32 rows of 32 floats away at most.
template <class T>
HWY_INLINE void fetch_ahead(const T* x, std::int64_t count) {
  constexpr auto kLine = static_cast<std::int64_t>(64 / sizeof(T));
  for (std::int64_t i = 0; i < count; i += kLine) __builtin_prefetch(x + i, 0, 3);
}

/// Whether rows written to y had better go past the caches: a result this large will have left them before it is
/// read again, and storing past them spares reading what is overwritten. Needs rows of whole aligned vectors.
template <class T>
HWY_INLINE bool worth_streaming(const T* y, std::int64_t num_rows, std::int64_t channels) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto vector_bytes = static_cast<std::uintptr_t>(lanes) * sizeof(T);
  return num_rows * channels * std::int64_t{sizeof(T)} > (std::int64_t{8} << 20) &&
         channels % lanes == 0 && reinterpret_cast<std::uintptr_t>(y) % vector_bytes == 0;
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE void store(D d, V v, hn::TFromD<D>* to, bool stream) {
  if (stream) {
    hn::Stream(v, d, to);
  } else {
    hn::StoreU(v, d, to);
  }
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

}  // namespace hgnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
