#include "graph/row_parallel.hpp"
#include "ops/cpu/dispatch.hpp"
#include "ops/cpu/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/cpu/segment.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "ops/cpu/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hgnet::cpu::HWY_NAMESPACE {

template <class T>
void gather_range(const NodeId* parent, const T* scale, const T* x, T* y, std::int64_t channels,
                  std::int64_t begin, std::int64_t end) {
  const bool stream = worth_streaming(y, end - begin, channels);
  for_blocks<T>(channels, [&](auto d, auto block) HWY_ATTR {
    constexpr int kVectors = decltype(block)::kCount;
    for (std::int64_t v = begin; v < end; ++v) {
      const NodeId p = parent[v];
      T* out = y + v * channels;
      if (p == kNoNode) {
        for (int i = 0; i < kVectors; ++i) store(d, hn::Zero(d), out + block.place(d, i), stream);
        continue;
      }
      const T* row = x + p * channels;
      const auto factor = hn::Set(d, scale != nullptr ? scale[p] : T{1});
      for (int i = 0; i < kVectors; ++i) {
        const std::int64_t at = block.place(d, i);
        store(d, hn::Mul(factor, hn::LoadU(d, row + at)), out + at, stream);
      }
    }
  });
  if (stream) hwy::FlushStream();
}

void gather_f32(const NodeId* parent, const float* scale, const float* x, float* y,
                std::int64_t channels, std::int64_t begin, std::int64_t end) {
  gather_range(parent, scale, x, y, channels, begin, end);
}
void gather_f64(const NodeId* parent, const double* scale, const double* x, double* y,
                std::int64_t channels, std::int64_t begin, std::int64_t end) {
  gather_range(parent, scale, x, y, channels, begin, end);
}

template <class T, class Index>
void max_backward_range(const NodeId* parent, const Index* first, const T* grad_y, T* grad_x,
                        std::int64_t channels, std::int64_t begin, std::int64_t end) {
  for_blocks<T>(channels, [&](auto d, auto block) HWY_ATTR {
    constexpr int kVectors = decltype(block)::kCount;
    const hn::RebindToSigned<decltype(d)> di;
    for (std::int64_t v = begin; v < end; ++v) {
      const NodeId p = parent[v];
      const auto row_number = hn::Set(di, static_cast<Index>(v));
      for (int i = 0; i < kVectors; ++i) {
        const std::int64_t at = block.place(d, i);
        auto grad = hn::Zero(d);
        if (p != kNoNode) {
          const auto chosen = hn::Eq(hn::LoadU(di, first + p * channels + at), row_number);
          grad = hn::IfThenElseZero(hn::RebindMask(d, chosen),
                                    hn::LoadU(d, grad_y + p * channels + at));
        }
        hn::StoreU(grad, d, grad_x + v * channels + at);
      }
    }
  });
}

void max_backward_f32(const NodeId* parent, const std::int32_t* first, const float* grad_y,
                      float* grad_x, std::int64_t channels, std::int64_t begin, std::int64_t end) {
  max_backward_range(parent, first, grad_y, grad_x, channels, begin, end);
}
void max_backward_f64(const NodeId* parent, const std::int64_t* first, const double* grad_y,
                      double* grad_x, std::int64_t channels, std::int64_t begin, std::int64_t end) {
  max_backward_range(parent, first, grad_y, grad_x, channels, begin, end);
}

template <class D, int kVectors, class T, class Index>
HWY_INLINE void max_of_members(D d, Block<D, kVectors> block, std::span<const NodeId> members,
                               const T* x, T* y, Index* first, std::int64_t channels) {
  const hn::RebindToSigned<D> di;
  hn::Vec<D> best[kVectors];
  hn::Vec<decltype(di)> best_row[kVectors];
  for (int i = 0; i < kVectors; ++i) {
    best[i] = hn::LoadU(d, x + members[0] * channels + block.place(d, i));
    best_row[i] = hn::Set(di, static_cast<Index>(members[0]));
  }
  for (const NodeId v : members.subspan(1)) {
    const auto row_number = hn::Set(di, static_cast<Index>(v));
    for (int i = 0; i < kVectors; ++i) {
      const auto value = hn::LoadU(d, x + v * channels + block.place(d, i));
      // What is not a number wins, as in torch::max, so that it does not get lost.
      const auto greater =
          hn::Or(hn::Gt(value, best[i]), hn::AndNot(hn::IsNaN(best[i]), hn::IsNaN(value)));
      best[i] = hn::IfThenElse(greater, value, best[i]);
      best_row[i] = hn::IfThenElse(hn::RebindMask(di, greater), row_number, best_row[i]);
    }
  }
  for (int i = 0; i < kVectors; ++i) {
    hn::StoreU(best[i], d, y + block.place(d, i));
    hn::StoreU(best_row[i], di, first + block.place(d, i));
  }
}

template <class T, class Index>
void max_range(const CsrView& a, const T* x, T* y, Index* first, std::int64_t channels,
               std::int64_t begin, std::int64_t end) {
  for_blocks<T>(channels, [&](auto d, auto block) HWY_ATTR {
    constexpr int kVectors = decltype(block)::kCount;
    const hn::RebindToSigned<decltype(d)> di;
    for (std::int64_t p = begin; p < end; ++p) {
      const auto members = a.columns.subspan(a.offsets[p], a.offsets[p + 1] - a.offsets[p]);
      T* out = y + p * channels;
      Index* out_first = first + p * channels;
      if (!members.empty()) {
        max_of_members(d, block, members, x, out, out_first, channels);
        continue;
      }
      for (int i = 0; i < kVectors; ++i) {
        hn::StoreU(hn::Zero(d), d, out + block.place(d, i));
        hn::StoreU(hn::Set(di, Index{-1}), di, out_first + block.place(d, i));
      }
    }
  });
}

void max_f32(const CsrView& a, const float* x, float* y, std::int32_t* first, std::int64_t channels,
             std::int64_t begin, std::int64_t end) {
  max_range(a, x, y, first, channels, begin, end);
}
void max_f64(const CsrView& a, const double* x, double* y, std::int64_t* first,
             std::int64_t channels, std::int64_t begin, std::int64_t end) {
  max_range(a, x, y, first, channels, begin, end);
}

}  // namespace hgnet::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hgnet::cpu {

HWY_EXPORT(gather_f32);
HWY_EXPORT(gather_f64);
HWY_EXPORT(max_f32);
HWY_EXPORT(max_f64);
HWY_EXPORT(max_backward_f32);
HWY_EXPORT(max_backward_f64);

template <class T>
void gather_rows(const NodeId* parent, std::int64_t num_rows, const T* scale, const T* x, T* y,
                 std::int64_t channels, int threads) {
  for_row_ranges(num_rows, channels, threads, [&](std::int64_t begin, std::int64_t end) {
    HGNET_DISPATCH(T, gather, parent, scale, x, y, channels, begin, end);
  });
}

template <class T>
void segment_max(const CsrView& members, const T* x, T* y, typename IndexOf<T>::type* first,
                 std::int64_t channels, int threads) {
  for_row_ranges(members, channels, threads, [&](std::int64_t begin, std::int64_t end) {
    HGNET_DISPATCH(T, max, members, x, y, first, channels, begin, end);
  });
}

template <class T>
void segment_max_backward(const NodeId* parent, std::int64_t num_rows,
                          const typename IndexOf<T>::type* first, const T* grad_y, T* grad_x,
                          std::int64_t channels, int threads) {
  for_row_ranges(num_rows, channels, threads, [&](std::int64_t begin, std::int64_t end) {
    HGNET_DISPATCH(T, max_backward, parent, first, grad_y, grad_x, channels, begin, end);
  });
}

template void gather_rows(const NodeId*, std::int64_t, const float*, const float*, float*,
                          std::int64_t, int);
template void gather_rows(const NodeId*, std::int64_t, const double*, const double*, double*,
                          std::int64_t, int);
template void segment_max(const CsrView&, const float*, float*, std::int32_t*, std::int64_t, int);
template void segment_max(const CsrView&, const double*, double*, std::int64_t*, std::int64_t, int);
template void segment_max_backward(const NodeId*, std::int64_t, const std::int32_t*, const float*,
                                   float*, std::int64_t, int);
template void segment_max_backward(const NodeId*, std::int64_t, const std::int64_t*, const double*,
                                   double*, std::int64_t, int);

}  // namespace hgnet::cpu
#endif
