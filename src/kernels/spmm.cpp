#include "graph/row_parallel.hpp"
#include "kernels/dispatch.hpp"
#include "kernels/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/spmm.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "kernels/spmm-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hgnet::kernels::HWY_NAMESPACE {

template <class T>
bool streams(const Spmm<T>& args) {
  return args.y.stride == args.channels &&
         worth_streaming(args.y.data, args.a.num_rows(), args.channels);
}

void spmm_f32(const Spmm<float>& args, std::int64_t begin, std::int64_t end) {
  spmm_range(args, 0, streams(args), begin, end);
}
void spmm_f64(const Spmm<double>& args, std::int64_t begin, std::int64_t end) {
  spmm_range(args, 0, streams(args), begin, end);
}

template <class T>
void slot_dots_range(const CsrView& a, const T* y, const T* x, T* out, std::int64_t channels,
                     std::int64_t begin, std::int64_t end) {
  const hn::ScalableTag<T> d;
  for (std::int64_t r = begin; r < end; ++r) {
    for (EdgeId s = a.offsets[r]; s < a.offsets[r + 1]; ++s) {
      out[s] = dot(d, y + r * channels, x + a.columns[s] * channels, channels);
    }
  }
}

void slot_dots_f32(const CsrView& a, const float* y, const float* x, float* out,
                   std::int64_t channels, std::int64_t begin, std::int64_t end) {
  slot_dots_range(a, y, x, out, channels, begin, end);
}
void slot_dots_f64(const CsrView& a, const double* y, const double* x, double* out,
                   std::int64_t channels, std::int64_t begin, std::int64_t end) {
  slot_dots_range(a, y, x, out, channels, begin, end);
}

const char* instruction_set_name() { return hwy::TargetName(HWY_TARGET); }

}  // namespace hgnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hgnet::kernels {

HWY_EXPORT(spmm_f32);
HWY_EXPORT(spmm_f64);
HWY_EXPORT(slot_dots_f32);
HWY_EXPORT(slot_dots_f64);
HWY_EXPORT(instruction_set_name);

template <class T>
void spmm(const Spmm<T>& args, int threads) {
  for_row_ranges(args.a, args.channels, threads, [&](std::int64_t begin, std::int64_t end) {
    HGNET_DISPATCH(T, spmm, args, begin, end);
  });
}

template <class T>
void slot_dots(const CsrView& a, const T* y, const T* x, T* out, std::int64_t channels,
               int threads) {
  for_row_ranges(a, channels, threads, [&](std::int64_t begin, std::int64_t end) {
    HGNET_DISPATCH(T, slot_dots, a, y, x, out, channels, begin, end);
  });
}

const char* instruction_set() { return HWY_DYNAMIC_DISPATCH(instruction_set_name)(); }

template void spmm(const Spmm<float>&, int);
template void spmm(const Spmm<double>&, int);
template void slot_dots(const CsrView&, const float*, const float*, float*, std::int64_t, int);
template void slot_dots(const CsrView&, const double*, const double*, double*, std::int64_t, int);

}  // namespace hgnet::kernels
#endif
