// Adam's update, entry by entry.

#include "kernels/adam.hpp"

#include "kernels/export.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/adam.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hgnet::kernels::HWY_NAMESPACE {

/// The entries from i on that fill a vector.
template <class D, class T>
HWY_INLINE void step(D d, const AdamStep<T>& a, std::int64_t i) {
  const auto p = hn::LoadU(d, a.p + i);
  const auto g = hn::MulAdd(hn::Set(d, a.weight_decay), p, hn::LoadU(d, a.grad + i));
  const auto m = hn::MulAdd(hn::Set(d, a.beta1), hn::LoadU(d, a.m + i),
                            hn::Mul(hn::Set(d, a.one_less_beta1), g));
  const auto v = hn::MulAdd(hn::Set(d, a.beta2), hn::LoadU(d, a.v + i),
                            hn::Mul(hn::Mul(hn::Set(d, a.one_less_beta2), g), g));
  const auto scale = hn::Add(hn::Div(hn::Sqrt(v), hn::Set(d, a.root)), hn::Set(d, a.eps));
  hn::StoreU(m, d, a.m + i);
  hn::StoreU(v, d, a.v + i);
  hn::StoreU(hn::Sub(p, hn::Div(hn::Mul(hn::Set(d, a.rate), m), scale)), d, a.p + i);
}

template <class T>
void steps(const AdamStep<T>& a) {
  const hn::ScalableTag<T> d;
  std::int64_t i = 0;
  for (; i + lanes(d) <= a.size; i += lanes(d)) step(d, a, i);
  // One by one: an overlapping vector would apply the step twice.
  for (; i < a.size; ++i) step(hn::CappedTag<T, 1>(), a, i);
}

}  // namespace hgnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hgnet::kernels {

template <class T>
void adam_step(const AdamStep<T>& args) {
  HGNET_BEST(steps<T>)(args);
}
HGNET_EXPORT(adam_step);

}  // namespace hgnet::kernels
#endif
