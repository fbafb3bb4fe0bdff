// Dropout's mask in vectors, see DropoutMask. Per-target, see lanes-inl.h.

#if defined(HGNET_DROPOUT_MASK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HGNET_DROPOUT_MASK_INL_H_
#undef HGNET_DROPOUT_MASK_INL_H_
#else
#define HGNET_DROPOUT_MASK_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

#include "kernels/affine_act.hpp"
#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hgnet::kernels::HWY_NAMESPACE {

/// A dropout mask for vectors of D. Hash: splitmix64 of seed and row, then Wellons' lowbias32 with
/// the column.
template <class D>
class Mask {
 public:
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;

  explicit Mask(DropoutMask dropout)
      : drops_(dropout.p > 0),
        seed_(dropout.seed),
        threshold_(static_cast<std::int32_t>(std::min(dropout.p * 2147483648.0, 2147483647.0)) - 1),
        factor_(hn::Set(D(), static_cast<T>(1.0 / (1.0 - dropout.p)))) {}

  HWY_INLINE void start_row(std::int64_t row) {
    if (!drops_) return;
    std::uint64_t x = seed_ + 0x9e3779b97f4a7c15U * static_cast<std::uint64_t>(row + 1);
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    row_key_ = static_cast<std::uint32_t>((x ^ (x >> 31)) >> 32);
  }

  /// The row's values from `column` on, after dropout.
  HWY_INLINE V operator()(V value, std::int64_t column) const {
    return drops_ ? hn::Mul(value, factors(column)) : value;
  }

 private:
  /// factor_ where kept, 0 elsewhere.
  HWY_INLINE V factors(std::int64_t column) const {
    const hn::Rebind<std::uint32_t, D> du;
    const hn::Rebind<std::int32_t, D> di;
    auto x = hn::Iota(du, static_cast<std::uint32_t>(column));
    x = hn::Add(hn::Mul(x, hn::Set(du, 0x9e3779b9U)), hn::Set(du, row_key_));
    x = hn::Mul(hn::Xor(x, hn::ShiftRight<16>(x)), hn::Set(du, 0x7feb352dU));
    x = hn::Mul(hn::Xor(x, hn::ShiftRight<15>(x)), hn::Set(du, 0x846ca68bU));
    x = hn::Xor(x, hn::ShiftRight<16>(x));
    const auto draw = hn::BitCast(di, hn::ShiftRight<1>(x));
    if constexpr (sizeof(T) == sizeof(float)) {
      const auto kept = hn::Gt(draw, hn::Set(di, threshold_));
      return hn::IfThenElseZero(hn::RebindMask(D(), kept), factor_);
    } else {
      const hn::RebindToSigned<D> dt;
      const auto kept = hn::Gt(hn::PromoteTo(dt, draw), hn::Set(dt, std::int64_t{threshold_}));
      return hn::IfThenElseZero(hn::RebindMask(D(), kept), factor_);
    }
  }

  bool drops_;
  std::uint64_t seed_;
  std::int32_t threshold_;
  V factor_;
  std::uint32_t row_key_ = 0;
};

}  // namespace hgnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
