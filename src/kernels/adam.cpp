#include "kernels/adam.hpp"

#include "kernels/dispatch.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/adam.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace hgnet::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

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
HWY_INLINE void steps(const AdamStep<T>& a) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  std::int64_t i = 0;
  for (; i + lanes <= a.size; i += lanes) step(d, a, i);
  for (; i < a.size; ++i) step(hn::CappedTag<T, 1>(), a, i);
}

void adam_f32(const AdamStep<float>& args) { steps(args); }
void adam_f64(const AdamStep<double>& args) { steps(args); }

}  // namespace hgnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hgnet::kernels {

HWY_EXPORT(adam_f32);
HWY_EXPORT(adam_f64);

template <class T>
void adam_step(const AdamStep<T>& args) {
  HGNET_DISPATCH(T, adam, args);
}

template void adam_step(const AdamStep<float>&);
template void adam_step(const AdamStep<double>&);

}  // namespace hgnet::kernels
#endif
