#include "graph/row_parallel.hpp"
#include "ops/cpu/dispatch.hpp"
#include "ops/cpu/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/cpu/spmm.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "ops/cpu/lanes-inl.h"

#ifndef HGNET_SPMM_VALUES
#define HGNET_SPMM_VALUES
namespace hgnet::cpu {

enum class Values { kOne, kBySlot, kByPosition };

}  // namespace hgnet::cpu
#endif

HWY_BEFORE_NAMESPACE();
namespace hgnet::cpu::HWY_NAMESPACE {

template <Values kValues, class T>
HWY_INLINE T value_of(const SlotValues<T>& values, EdgeId slot) {
  if constexpr (kValues == Values::kBySlot) return values.values[slot];
  return values.values[values.position[slot]];
}

template <Values kValues, bool kFetch, class D, int kVectors, class T>
HWY_NOINLINE void spmm_rows(D d, Block<D, kVectors> block, Spmm<T> args, std::int64_t begin,
                            std::int64_t end) {
  using V = hn::Vec<D>;
  const EdgeId* HWY_RESTRICT offsets = args.a.offsets.data();
  const NodeId* HWY_RESTRICT columns = args.a.columns.data();
  const Rows<const T> x = args.x;
  const RowFetch<T> fetch(x.data, args.a.num_columns, x.stride);
  const bool stream = args.y.stride == args.channels &&
                      worth_streaming(args.y.data, args.a.num_rows(), args.channels);
  const std::int64_t columns_end = block.last + static_cast<std::int64_t>(hn::Lanes(d));
  for (std::int64_t r = begin; r < end; ++r) {
    V sum[kVectors];
    if (args.diagonal != nullptr) {
      const V factor = hn::Set(d, args.diagonal[r]);
      const T* row = x.row(r);
      for (int i = 0; i < kVectors; ++i) {
        sum[i] = hn::Mul(factor, hn::LoadU(d, row + block.place(d, i)));
      }
    } else {
      for (int i = 0; i < kVectors; ++i) sum[i] = hn::Zero(d);
    }
    for (EdgeId s = offsets[r]; s < offsets[r + 1]; ++s) {
      if constexpr (kFetch) fetch(args.a.columns, s, block.begin, columns_end);
      const T* row = x.row(columns[s]);
      if constexpr (kValues == Values::kOne) {
        for (int i = 0; i < kVectors; ++i) {
          sum[i] = hn::Add(sum[i], hn::LoadU(d, row + block.place(d, i)));
        }
      } else {
        const V value = hn::Set(d, value_of<kValues>(args.values, s));
        for (int i = 0; i < kVectors; ++i) {
          sum[i] = hn::MulAdd(value, hn::LoadU(d, row + block.place(d, i)), sum[i]);
        }
      }
    }
    if (args.row_scale != nullptr) {
      const V factor = hn::Set(d, args.row_scale[r]);
      for (int i = 0; i < kVectors; ++i) sum[i] = hn::Mul(factor, sum[i]);
    }
    if (args.add.data != nullptr) {
      const T* row = args.add.row(r);
      for (int i = 0; i < kVectors; ++i) {
        sum[i] = hn::Add(sum[i], hn::LoadU(d, row + block.place(d, i)));
      }
    }
    if (args.parent != nullptr && args.parent[r] != kNoNode) {
      const T* row = args.parent_rows + args.parent[r] * args.channels;
      for (int i = 0; i < kVectors; ++i) {
        sum[i] = hn::Add(sum[i], hn::LoadU(d, row + block.place(d, i)));
      }
    }
    T* HWY_RESTRICT out = args.y.row(r);
    for (int i = 0; i < kVectors; ++i) store(d, sum[i], out + block.place(d, i), stream);
  }
  if (stream) hwy::FlushStream();
}

template <Values kValues, class T>
void spmm_range_of(const Spmm<T>& args, std::int64_t begin, std::int64_t end) {
  const bool fetch = RowFetch<T>(args.x.data, args.a.num_columns, args.x.stride).useful();
  for_blocks<T>(args.channels, [&](auto d, auto block) HWY_ATTR {
    if (fetch) {
      spmm_rows<kValues, true>(d, block, args, begin, end);
    } else {
      spmm_rows<kValues, false>(d, block, args, begin, end);
    }
  });
}

template <class T>
void spmm_range(const Spmm<T>& args, std::int64_t begin, std::int64_t end) {
  if (args.values.values == nullptr) {
    spmm_range_of<Values::kOne>(args, begin, end);
  } else if (args.values.position == nullptr) {
    spmm_range_of<Values::kBySlot>(args, begin, end);
  } else {
    spmm_range_of<Values::kByPosition>(args, begin, end);
  }
}

void spmm_f32(const Spmm<float>& args, std::int64_t begin, std::int64_t end) {
  spmm_range(args, begin, end);
}
void spmm_f64(const Spmm<double>& args, std::int64_t begin, std::int64_t end) {
  spmm_range(args, begin, end);
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

}  // namespace hgnet::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hgnet::cpu {

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

}  // namespace hgnet::cpu
#endif
