// The largest entry of each column over the members of a parent, with the member that has it, and the gradient back to it.

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

/// The columns of d's vector from `column` on.
template <class D, class T, class Index>
HWY_INLINE void max_of_members(D d, std::int64_t column, std::span<const NodeId> members,
                               const T* x, std::int64_t channels, T* y, Index* first) {
  const hn::RebindToSigned<D> di;
  auto best = hn::Zero(d);
  auto best_row = hn::Set(di, Index{-1});
  for (std::size_t m = 0; m < members.size(); ++m) {
    const auto value = hn::LoadU(d, x + members[m] * channels + column);
    const auto row = hn::Set(di, static_cast<Index>(members[m]));
    // NaN wins, as in torch::max, so that it does not get lost.
    const auto greater = hn::Or(hn::Gt(value, best), hn::AndNot(hn::IsNaN(best), hn::IsNaN(value)));
    best = m == 0 ? value : hn::IfThenElse(greater, value, best);
    best_row = m == 0 ? row : hn::IfThenElse(hn::RebindMask(di, greater), row, best_row);
  }
  hn::StoreU(best, d, y + column);
  hn::StoreU(best_row, di, first + column);
}

template <class T>
void max_rows(const CsrView& a, const T* x, T* y, typename IndexOf<T>::type* first,
              std::int64_t channels, std::int64_t begin, std::int64_t end) {
  with_vectors<T>(channels, [&](auto d) HWY_ATTR {
    for (std::int64_t p = begin; p < end; ++p) {
      const auto members = a.columns.subspan(a.offsets[p], a.offsets[p + 1] - a.offsets[p]);
      for_vectors(d, channels, [&](std::int64_t column) HWY_ATTR {
        max_of_members(d, column, members, x, channels, y + p * channels, first + p * channels);
      });
    }
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
