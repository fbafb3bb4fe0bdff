// Softmax over short rows, one number per slot. Per-target, see lanes-inl.h.

#if defined(HGNET_SOFTMAX_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HGNET_SOFTMAX_INL_H_
#undef HGNET_SOFTMAX_INL_H_
#else
#define HGNET_SOFTMAX_INL_H_
#endif

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

#include "hgnet/graph/csr.hpp"
#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hgnet::kernels::HWY_NAMESPACE {

/// Highway's exponential takes what is not a number to 0, which would hide it.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V exp_or_nan(D d, V x) {
  return hn::IfThenElse(hn::IsNaN(x), x, hn::Exp(d, x));
}

/// x_i <- exp(x_i). What is left after the whole vectors goes through a padded one.
template <class T>
HWY_INLINE void exp_in_place(T* x, std::int64_t n) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  std::int64_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(exp_or_nan(d, hn::LoadU(d, x + i)), d, x + i);
  if (i < n) {
    HWY_ALIGN T padded[hn::MaxLanes(d)] = {};
    std::copy(x + i, x + n, padded);
    hn::Store(exp_or_nan(d, hn::Load(d, padded)), d, padded);
    std::copy(padded, padded + (n - i), x + i);
  }
}

/// out_s = softmax over the slots s of row v of logit(s, v). Rows have a handful of slots,
/// far fewer than a vector has lanes at best; so the exponentials, which cost most, are taken over
/// the slots of many rows at once, and only maximum and sum go row by row.
template <class T, class Logit>
HWY_INLINE void softmax_of_rows(const CsrView& a, const Logit& logit, T* HWY_RESTRICT out,
                                std::int64_t begin, std::int64_t end) {
  constexpr std::int64_t kRowsAtOnce = 256;
  const EdgeId* HWY_RESTRICT offsets = a.offsets.data();
  for (std::int64_t from = begin; from < end; from += kRowsAtOnce) {
    const std::int64_t to = std::min(end, from + kRowsAtOnce);
    for (std::int64_t v = from; v < to; ++v) {
      T largest = hwy::LowestValue<T>();
      for (EdgeId s = offsets[v]; s < offsets[v + 1]; ++s) {
        out[s] = logit(s, v);
        largest = out[s] > largest ? out[s] : largest;
      }
      for (EdgeId s = offsets[v]; s < offsets[v + 1]; ++s) out[s] -= largest;
    }
    exp_in_place(out + offsets[from], offsets[to] - offsets[from]);
    for (std::int64_t v = from; v < to; ++v) {
      T sum = 0;
      for (EdgeId s = offsets[v]; s < offsets[v + 1]; ++s) sum += out[s];
      const T inverse = T{1} / sum;
      for (EdgeId s = offsets[v]; s < offsets[v + 1]; ++s) out[s] *= inverse;
    }
  }
}

}  // namespace hgnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
