// Exponentials in vectors. Per-target, see lanes-inl.h.

#if defined(HGNET_EXP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HGNET_EXP_INL_H_
#undef HGNET_EXP_INL_H_
#else
#define HGNET_EXP_INL_H_
#endif

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hgnet::kernels::HWY_NAMESPACE {

/// Highway's exponential maps NaN to 0, which would hide it.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V exp_or_nan(D d, V x) {
  return hn::IfThenElse(hn::IsNaN(x), x, hn::Exp(d, x));
}

}  // namespace hgnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
