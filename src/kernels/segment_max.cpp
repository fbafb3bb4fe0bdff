// The largest entry of each column over the members of a parent, the member that has it, and the
// gradient back to it.

#include "kernels/segment_max.hpp"

#include "graph/row_parallel.hpp"
#include "kernels/export.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/segment_max.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hgnet::kernels::HWY_NAMESPACE {

/// The columns of `group`.
template <class Group, class T, class Index>
HWY_NOINLINE void max_columns(Group group, CsrView a, const T* x, T* y, Index* first,
                              std::int64_t channels, std::int64_t begin, std::int64_t end) {
  const typename Group::Tag d;
  const hn::RebindToSigned<typename Group::Tag> di;
  for (std::int64_t p = begin; p < end; ++p) {
    auto best = group.all(T{0});
    hn::Vec<decltype(di)> best_row[Group::kCount];
    for (int i = 0; i < Group::kCount; ++i) best_row[i] = hn::Set(di, Index{-1});
    for (EdgeId s = a.offsets[p]; s < a.offsets[p + 1]; ++s) {
      const auto row = hn::Set(di, static_cast<Index>(a.columns[s]));
      const auto value = group.load(x + a.columns[s] * channels);
      for (int i = 0; i < Group::kCount; ++i) {
        // The first member always counts; NaN wins, as in torch::max, so that it is not lost.
        const auto is_nan = hn::AndNot(hn::IsNaN(best.v[i]), hn::IsNaN(value.v[i]));
        const auto none_yet = hn::RebindMask(d, hn::Lt(best_row[i], hn::Zero(di)));
        const auto wins = hn::Or(hn::Or(hn::Gt(value.v[i], best.v[i]), is_nan), none_yet);
        best.v[i] = hn::IfThenElse(wins, value.v[i], best.v[i]);
        best_row[i] = hn::IfThenElse(hn::RebindMask(di, wins), row, best_row[i]);
      }
    }
    group.store(best, y + p * channels);
    for (int i = 0; i < Group::kCount; ++i)
      hn::StoreU(best_row[i], di, first + p * channels + group.column(i));
  }
}

template <class T>
void max_rows(const CsrView& a, const T* x, T* y, typename IndexOf<T>::type* first,
              std::int64_t channels, std::int64_t begin, std::int64_t end) {
  for_groups<T, 4>(channels, [&](auto group) HWY_ATTR {
    max_columns(group, a, x, y, first, channels, begin, end);
  });
}

template <class T>
void max_backward_rows(const NodeId* parent, const typename IndexOf<T>::type* first,
                       const T* grad_y, T* grad_x, std::int64_t channels, std::int64_t begin,
                       std::int64_t end) {
  with_vectors<T>(channels, [&](auto d) HWY_ATTR {
    const hn::RebindToSigned<decltype(d)> di;
    for (std::int64_t v = begin; v < end; ++v) {
      const NodeId p = parent[v];
      const auto row = hn::Set(di, static_cast<typename IndexOf<T>::type>(v));
      for_vectors(d, channels, [&](std::int64_t column) HWY_ATTR {
        auto grad = hn::Zero(d);
        if (p != kNoNode) {
          const auto chosen = hn::Eq(hn::LoadU(di, first + p * channels + column), row);
          grad = hn::IfThenElseZero(hn::RebindMask(d, chosen),
                                    hn::LoadU(d, grad_y + p * channels + column));
        }
        hn::StoreU(grad, d, grad_x + v * channels + column);
      });
    }
  });
}

}  // namespace hgnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hgnet::kernels {

template <class T>
void segment_max(const CsrView& members, const T* x, T* y, typename IndexOf<T>::type* first,
                 std::int64_t channels, int threads) {
  for_row_ranges(members, channels, threads, [&](std::int64_t begin, std::int64_t end) {
    HGNET_BEST(max_rows<T>)(members, x, y, first, channels, begin, end);
  });
}
HGNET_EXPORT(segment_max);

template <class T>
void segment_max_backward(const NodeId* parent, std::int64_t num_rows,
                          const typename IndexOf<T>::type* first, const T* grad_y, T* grad_x,
                          std::int64_t channels, int threads) {
  for_row_ranges(num_rows, channels, threads, [&](std::int64_t begin, std::int64_t end) {
    HGNET_BEST(max_backward_rows<T>)(parent, first, grad_y, grad_x, channels, begin, end);
  });
}
HGNET_EXPORT(segment_max_backward);

}  // namespace hgnet::kernels
#endif
