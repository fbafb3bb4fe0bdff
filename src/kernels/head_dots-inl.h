// Dot products of two rows, head by head. Per-target, see lanes-inl.h.

#if defined(HGNET_HEAD_DOTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HGNET_HEAD_DOTS_INL_H_
#undef HGNET_HEAD_DOTS_INL_H_
#else
#define HGNET_HEAD_DOTS_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hgnet::kernels::HWY_NAMESPACE {

/// out[h] = x[h] . y[h] for each head's part of two rows.
template <class T>
struct HeadDots {
  std::int64_t heads;
  std::int64_t channels;

  HWY_INLINE void operator()(const T* x, const T* y, T* HWY_RESTRICT out) const {
    for (std::int64_t h = 0; h < heads; ++h) {
      out[h] = dot(hn::ScalableTag<T>(), x + h * channels, y + h * channels, channels);
    }
  }
};

#if HWY_TARGET != HWY_SCALAR
/// The same for heads of a few channels, where a single dot product would mostly add lanes:
/// neighbouring lanes are added in all heads at once until one number per head is left.
template <int kHeads, int kChannels, class T>
struct NarrowHeadDots {
  template <int kWidth, class D>
  HWY_INLINE static void add_up(D d, hn::Vec<D>* p, T* HWY_RESTRICT out) {
    constexpr int kLanes = static_cast<int>(hn::MaxLanes(D()));
    constexpr int kVectors = kWidth > kLanes ? kWidth / kLanes : 1;
    if constexpr (kWidth > kHeads) {
      for (int i = 0; i < (kVectors + 1) / 2; ++i) {
        const auto low = p[2 * i];
        const auto high = p[kVectors > 1 ? 2 * i + 1 : 0];
        p[i] = hn::Add(hn::ConcatEven(d, high, low), hn::ConcatOdd(d, high, low));
      }
      add_up<kWidth / 2>(d, p, out);
    } else if constexpr (kHeads < kLanes) {
      const hn::Half<D> half;
      auto low = hn::LowerHalf(half, p[0]);
      add_up<kWidth>(half, &low, out);
    } else {
      for (int i = 0; i < kVectors; ++i) hn::StoreU(p[i], d, out + i * kLanes);
    }
  }

  HWY_INLINE void operator()(const T* x, const T* y, T* HWY_RESTRICT out) const {
    constexpr int kWidth = kHeads * kChannels;
    const hn::CappedTag<T, kWidth> d;
    constexpr int kLanes = static_cast<int>(hn::MaxLanes(d));
    hn::Vec<decltype(d)> p[kWidth / kLanes];
    for (int i = 0; i < kWidth / kLanes; ++i) {
      p[i] = hn::Mul(hn::LoadU(d, x + i * kLanes), hn::LoadU(d, y + i * kLanes));
    }
    add_up<kWidth>(d, p, out);
  }
};
#endif

/// Calls body with the fastest way to compute the dot products of these heads.
template <class T, class Body>
HWY_INLINE void with_head_dots(std::int64_t heads, std::int64_t channels, const Body& body) {
#if HWY_TARGET != HWY_SCALAR
  if (heads == 8 && channels == 8) return body(NarrowHeadDots<8, 8, T>());
  if (heads == 8 && channels == 16) return body(NarrowHeadDots<8, 16, T>());
  if (heads == 4 && channels == 8) return body(NarrowHeadDots<4, 8, T>());
  if (heads == 4 && channels == 16) return body(NarrowHeadDots<4, 16, T>());
#endif
  body(HeadDots<T>{heads, channels});
}

}  // namespace hgnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
