// Prefetching, and stores that bypass the caches. Per-target, see lanes-inl.h.

#if defined(HGNET_MEMORY_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HGNET_MEMORY_INL_H_
#undef HGNET_MEMORY_INL_H_
#else
#define HGNET_MEMORY_INL_H_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <cstdint>
#include <span>

#include "hgnet/core/ids.hpp"
#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hgnet::kernels::HWY_NAMESPACE {

/// Prefetches rows of a gather, which the hardware cannot predict. Far ahead and into the
/// second-level cache, since most of the wait is for the page table. From main memory, lines come
/// in pairs, so every other one is enough; from the shared cache they do not. Operands that fit the
/// caches near the core are not prefetched. Measured: docs/performance.md.
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
    if (!useful() || slot + kAhead >= static_cast<EdgeId>(columns.size())) return;
    const T* row = x_ + columns[slot + kAhead] * width_;
    for (std::int64_t c = begin; c < end; c += step_) __builtin_prefetch(row + c, 0, 2);
  }

 private:
  static constexpr EdgeId kAhead = 96;
  const T* x_;
  std::int64_t width_;
  std::int64_t step_ = 0;
};

/// Prefetches the `count` numbers from x on. The hardware prefetches sequential reads, but only to
/// the end of each page, which is at most 32 rows of 32 floats away.
template <class T>
HWY_INLINE void fetch_ahead(const T* x, std::int64_t count) {
  constexpr auto kLine = static_cast<std::int64_t>(64 / sizeof(T));
  for (std::int64_t i = 0; i < count; i += kLine) __builtin_prefetch(x + i, 0, 3);
}

/// Whether to write rows of y past the caches: a result this large has left them before it is read
/// again, and bypassing them avoids reading what is overwritten. Needs rows of whole aligned
/// vectors.
template <class T>
HWY_INLINE bool worth_streaming(const T* y, std::int64_t num_rows, std::int64_t channels) {
  const hn::ScalableTag<T> d;
  const auto vector_bytes = static_cast<std::uintptr_t>(lanes(d)) * sizeof(T);
  return num_rows * channels * std::int64_t{sizeof(T)} > (std::int64_t{8} << 20) &&
         channels % lanes(d) == 0 && reinterpret_cast<std::uintptr_t>(y) % vector_bytes == 0;
}

}  // namespace hgnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
