#include "graph/row_parallel.hpp"
#include "kernels/dispatch.hpp"
#include "kernels/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/segment.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hgnet::kernels::HWY_NAMESPACE {

template <class T>
void gather_range(const GatherRows<T>& args, std::int64_t begin, std::int64_t end) {
  const std::int64_t channels = args.channels;
  const bool stream = worth_streaming(args.y, end - begin, channels);
  for_blocks<T>(channels, [&](auto d, auto block) HWY_ATTR {
    constexpr int kVectors = decltype(block)::kCount;
    for (std::int64_t v = begin; v < end; ++v) {
      const NodeId p = args.parent[v];
      const T* add = args.add == nullptr ? nullptr : args.add + v * channels;
      const T* row = p == kNoNode ? nullptr : args.x + p * channels;
      const auto factor = hn::Set(d, args.scale != nullptr && p != kNoNode ? args.scale[p] : T{1});
      for (int i = 0; i < kVectors; ++i) {
        const std::int64_t at = block.place(d, i);
        auto sum = add == nullptr ? hn::Zero(d) : hn::LoadU(d, add + at);
        if (row != nullptr) sum = hn::MulAdd(factor, hn::LoadU(d, row + at), sum);
        store(d, sum, args.y + v * channels + at, stream);
      }
    }
  });
  if (stream) hwy::FlushStream();
}

void gather_f32(const GatherRows<float>& args, std::int64_t begin, std::int64_t end) {
  gather_range(args, begin, end);
}
void gather_f64(const GatherRows<double>& args, std::int64_t begin, std::int64_t end) {
  gather_range(args, begin, end);
}

template <class T>
void parent_dots_range(const NodeId* parent, std::int64_t channels, const T* x, const T* y, T* out,
                       std::int64_t begin, std::int64_t end) {
  const hn::ScalableTag<T> d;
  for (std::int64_t v = begin; v < end; ++v) {
    const NodeId p = parent[v];
    out[v] = p == kNoNode ? T{0} : dot(d, x + v * channels, y + p * channels, channels);
  }
}

void parent_dots_f32(const NodeId* parent, std::int64_t channels, const float* x, const float* y,
                     float* out, std::int64_t begin, std::int64_t end) {
  parent_dots_range(parent, channels, x, y, out, begin, end);
}
void parent_dots_f64(const NodeId* parent, std::int64_t channels, const double* x, const double* y,
                     double* out, std::int64_t begin, std::int64_t end) {
  parent_dots_range(parent, channels, x, y, out, begin, end);
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

}  // namespace hgnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hgnet::kernels {

HWY_EXPORT(gather_f32);
HWY_EXPORT(gather_f64);
HWY_EXPORT(parent_dots_f32);
HWY_EXPORT(parent_dots_f64);
HWY_EXPORT(max_f32);
HWY_EXPORT(max_f64);
HWY_EXPORT(max_backward_f32);
HWY_EXPORT(max_backward_f64);

template <class T>
void gather_rows(const GatherRows<T>& args, int threads) {
  for_row_ranges(args.num_rows, args.channels, threads, [&](std::int64_t begin, std::int64_t end) {
    HGNET_DISPATCH(T, gather, args, begin, end);
  });
}

template <class T>
void parent_dots(const NodeId* parent, std::int64_t num_rows, std::int64_t channels, const T* x,
                 const T* y, T* out, int threads) {
  for_row_ranges(num_rows, channels, threads, [&](std::int64_t begin, std::int64_t end) {
    HGNET_DISPATCH(T, parent_dots, parent, channels, x, y, out, begin, end);
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

template void gather_rows(const GatherRows<float>&, int);
template void gather_rows(const GatherRows<double>&, int);
template void parent_dots(const NodeId*, std::int64_t, std::int64_t, const float*, const float*,
                          float*, int);
template void parent_dots(const NodeId*, std::int64_t, std::int64_t, const double*, const double*,
                          double*, int);
template void segment_max(const CsrView&, const float*, float*, std::int32_t*, std::int64_t, int);
template void segment_max(const CsrView&, const double*, double*, std::int64_t*, std::int64_t, int);
template void segment_max_backward(const NodeId*, std::int64_t, const std::int32_t*, const float*,
                                   float*, std::int64_t, int);
template void segment_max_backward(const NodeId*, std::int64_t, const std::int64_t*, const double*,
                                   double*, std::int64_t, int);

}  // namespace hgnet::kernels
#endif
