// Rows of a sparse matrix times a dense one. Per-target: see lanes-inl.h.

#if defined(HGNET_SPMM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HGNET_SPMM_INL_H_
#undef HGNET_SPMM_INL_H_
#else
#define HGNET_SPMM_INL_H_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "kernels/kernels.hpp"
#include "kernels/lanes-inl.h"

#ifndef HGNET_SPMM_VALUES
#define HGNET_SPMM_VALUES
namespace hgnet::kernels {

enum class Values { kOne, kBySlot, kByPosition };

}  // namespace hgnet::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace hgnet::kernels::HWY_NAMESPACE {

template <Values kValues, class T>
HWY_INLINE T value_of(const SlotValues<T>& values, EdgeId slot) {
  if constexpr (kValues == Values::kBySlot) return values.values[slot];
  return values.values[values.position[slot]];
}

/// Rows begin .. end - 1 of the product. The first row of args.y is row `first` of the product.
template <Values kValues, bool kFetch, class D, int kVectors, class T>
HWY_NOINLINE void spmm_rows(D d, Block<D, kVectors> block, Spmm<T> args, std::int64_t first,
                            bool stream, std::int64_t begin, std::int64_t end) {
  using V = hn::Vec<D>;
  const EdgeId* HWY_RESTRICT offsets = args.a.offsets.data();
  const NodeId* HWY_RESTRICT columns = args.a.columns.data();
  const Rows<const T> x = args.x;
  const RowFetch<T> fetch(x.data, args.a.num_columns, x.stride);
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
    T* HWY_RESTRICT out = args.y.row(r - first);
    for (int i = 0; i < kVectors; ++i) store(d, sum[i], out + block.place(d, i), stream);
  }
  if (stream) hwy::FlushStream();
}

template <Values kValues, class T>
void spmm_range_of(const Spmm<T>& args, std::int64_t first, bool stream, std::int64_t begin,
                   std::int64_t end) {
  const bool fetch = RowFetch<T>(args.x.data, args.a.num_columns, args.x.stride).useful();
  for_blocks<T>(args.channels, [&](auto d, auto block) HWY_ATTR {
    if (fetch) {
      spmm_rows<kValues, true>(d, block, args, first, stream, begin, end);
    } else {
      spmm_rows<kValues, false>(d, block, args, first, stream, begin, end);
    }
  });
}

template <class T>
void spmm_range(const Spmm<T>& args, std::int64_t first, bool stream, std::int64_t begin,
                std::int64_t end) {
  if (args.values.values == nullptr) {
    spmm_range_of<Values::kOne>(args, first, stream, begin, end);
  } else if (args.values.position == nullptr) {
    spmm_range_of<Values::kBySlot>(args, first, stream, begin, end);
  } else {
    spmm_range_of<Values::kByPosition>(args, first, stream, begin, end);
  }
}

}  // namespace hgnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
