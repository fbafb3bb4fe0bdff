// The rows of spmm as a step of other kernels. Per-target, see lanes-inl.h.

#if defined(HGNET_SPMM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HGNET_SPMM_INL_H_
#undef HGNET_SPMM_INL_H_
#else
#define HGNET_SPMM_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "kernels/spmm.hpp"

HWY_BEFORE_NAMESPACE();
namespace hgnet::kernels::HWY_NAMESPACE {

/// Rows begin .. end - 1 of the product. The first row of args.y is row `first` of the product;
/// `stream`: bypass the caches, see worth_streaming.
template <class T>
void spmm_rows(const Spmm<T>& args, std::int64_t first, bool stream, std::int64_t begin,
               std::int64_t end);

}  // namespace hgnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
