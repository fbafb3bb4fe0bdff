// Exponentials in vectors. Per-target, see lanes-inl.h.

#if defined(HGNET_EXP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HGNET_EXP_INL_H_
#undef HGNET_EXP_INL_H_
#else
#define HGNET_EXP_INL_H_
#endif

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hgnet::kernels::HWY_NAMESPACE {

/// Highway's exponential maps NaN to 0, which would hide it.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V exp_or_nan(D d, V x) {
  return hn::IfThenElse(hn::IsNaN(x), x, hn::Exp(d, x));
}

/// x_i <- exp(x_i). The rest after the full vectors is padded to a vector.
template <class T>
HWY_INLINE void exp_in_place(T* x, std::int64_t n) {
  const hn::ScalableTag<T> d;
  std::int64_t i = 0;
  for (; i + lanes(d) <= n; i += lanes(d)) hn::StoreU(exp_or_nan(d, hn::LoadU(d, x + i)), d, x + i);
  if (i < n) {
    HWY_ALIGN T padded[hn::MaxLanes(d)] = {};
    std::copy(x + i, x + n, padded);
    hn::Store(exp_or_nan(d, hn::Load(d, padded)), d, padded);
    std::copy(padded, padded + (n - i), x + i);
  }
}

}  // namespace hgnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
