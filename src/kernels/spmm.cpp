// A sparse matrix times a dense one. A row of the result is the sum of the rows of x that its slots
// name. As many of its columns as fit the registers are summed in one pass over the slots, then
// written once.

#include "kernels/spmm.hpp"

#include <algorithm>
#include <vector>

#include "graph/row_parallel.hpp"
#include "kernels/chunks.hpp"
#include "kernels/export.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/spmm.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include "kernels/lanes-inl.h"
#include "kernels/memory-inl.h"
#include "kernels/spmm-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hgnet::kernels::HWY_NAMESPACE {

/// The columns of `group`. Takes args by value, so that the compiler knows that stores cannot
/// change them.
template <bool kFetch, class Group, class T>
HWY_NOINLINE void spmm_columns(Group group, Spmm<T> args, RowFetch<T> fetch, std::int64_t first,
                               bool stream, std::int64_t begin, std::int64_t end) {
  const EdgeId* HWY_RESTRICT offsets = args.a.offsets.data();
  const NodeId* HWY_RESTRICT columns = args.a.columns.data();
  const T* HWY_RESTRICT values = args.values.values;
  const EdgeId* HWY_RESTRICT position = args.values.position;
  const auto for_slots = [&](std::int64_t r, const auto& body) HWY_ATTR {
    for (EdgeId s = offsets[r]; s < offsets[r + 1]; ++s) {
      if constexpr (kFetch) fetch(args.a.columns, s, group.begin(), group.end());
      body(s, args.x.row(columns[s]));
    }
  };
  for (std::int64_t r = begin; r < end; ++r) {
    auto sum = group.all(T{0});
    if (args.diagonal != nullptr) group.add(args.diagonal[r], args.x.row(r), sum);
    if (values == nullptr) {
      for_slots(r, [&](EdgeId, const T* row) HWY_ATTR { group.add(row, sum); });
    } else if (position == nullptr) {
      for_slots(r, [&](EdgeId s, const T* row) HWY_ATTR { group.add(values[s], row, sum); });
    } else {
      for_slots(r,
                [&](EdgeId s, const T* row) HWY_ATTR { group.add(values[position[s]], row, sum); });
    }
    if (args.row_scale != nullptr) group.scale(args.row_scale[r], sum);
    if (args.add.data != nullptr) group.add(args.add.row(r), sum);
    if (args.parent != nullptr && args.parent[r] != kNoNode)
      group.add(args.parent_rows + args.parent[r] * args.channels, sum);
    group.store(sum, args.y.row(r - first), stream);
  }
  if (stream) hwy::FlushStream();
}

template <class T>
void spmm_rows(const Spmm<T>& args, std::int64_t first, bool stream, std::int64_t begin,
               std::int64_t end) {
  const RowFetch<T> fetch(args.x.data, args.a.num_columns, args.x.stride);
  for_groups<T, 8>(args.channels, [&](auto group) HWY_ATTR {
    if (fetch.useful()) {
      spmm_columns<true>(group, args, fetch, first, stream, begin, end);
    } else {
      spmm_columns<false>(group, args, fetch, first, stream, begin, end);
    }
  });
}
HGNET_EXPORT(spmm_rows);

template <class T>
void whole_spmm_rows(const Spmm<T>& args, std::int64_t begin, std::int64_t end) {
  const bool stream = args.y.stride == args.channels &&
                      worth_streaming(args.y.data, args.a.num_rows(), args.channels);
  spmm_rows(args, 0, stream, begin, end);
}

/// NaN is not zero.
template <class Group>
HWY_INLINE bool is_zero(const typename Group::Row& row) {
  const typename Group::Tag d;
  auto zero = hn::Eq(row.v[0], hn::Zero(d));
  for (int i = 1; i < Group::kCount; ++i) zero = hn::And(zero, hn::Eq(row.v[i], hn::Zero(d)));
  return hn::AllTrue(d, zero);
}

/// Adds what rows begin .. end - 1 of A give to the columns of `group` of y.
template <class Group, class T>
HWY_NOINLINE void scatter_columns(Group group, TransposedSpmm<T> args, std::int64_t begin,
                                  std::int64_t end) {
  const EdgeId* HWY_RESTRICT offsets = args.a.offsets.data();
  const NodeId* HWY_RESTRICT columns = args.a.columns.data();
  const T* HWY_RESTRICT values = args.values;
  for (std::int64_t r = begin; r < end; ++r) {
    const auto row = group.load(args.x + r * args.channels);
    // Where few nodes have labels, most rows of a gradient are zero.
    if (is_zero<Group>(row)) continue;
    for (EdgeId s = offsets[r]; s < offsets[r + 1]; ++s) {
      T* to = args.y + columns[s] * args.channels;
      auto sum = group.load(to);
      group.add(values[s], row, sum);
      group.store(sum, to);
    }
  }
}

/// The columns from `first` on, each in one group only: twice would add twice.
template <int kVectors, class D, class T>
void scatter_rows_from(D d, std::int64_t first, const TransposedSpmm<T>& args, std::int64_t begin,
                       std::int64_t end) {
  const std::int64_t width = kVectors * lanes(d);
  for (; args.channels - first >= width; first += width)
    scatter_columns(VectorGroup<D, kVectors>(first, first + width - lanes(d)), args, begin, end);
  if (first == args.channels) return;
  if constexpr (kVectors > 1) {
    scatter_rows_from<kVectors / 2>(d, first, args, begin, end);
  } else if constexpr (hn::MaxLanes(D()) > 1) {
    scatter_rows_from<1>(hn::CappedTag<T, hn::MaxLanes(D()) / 2>(), first, args, begin, end);
  }
}

template <class T>
void scatter_rows(const TransposedSpmm<T>& args, std::int64_t begin, std::int64_t end) {
  scatter_rows_from<4>(hn::ScalableTag<T>(), 0, args, begin, end);
}

template <class T>
void slot_dots_rows(const CsrView& a, const T* y, const T* x, T* out, std::int64_t channels,
                    std::int64_t begin, std::int64_t end) {
  const hn::ScalableTag<T> d;
  for (std::int64_t r = begin; r < end; ++r) {
    for (EdgeId s = a.offsets[r]; s < a.offsets[r + 1]; ++s) {
      out[s] = dot(d, y + r * channels, x + a.columns[s] * channels, channels);
    }
  }
}

}  // namespace hgnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hgnet::kernels {

template <class T>
void spmm(const Spmm<T>& args, int threads) {
  for_row_ranges(args.a, args.channels, threads, [&](std::int64_t begin, std::int64_t end) {
    HGNET_BEST(whole_spmm_rows<T>)(args, begin, end);
  });
}
HGNET_EXPORT(spmm);

template <class T>
void transposed_spmm(const TransposedSpmm<T>& args, int threads) {
  const std::int64_t size = args.a.num_columns * args.channels;
  // Each part of the rows has its own sums. Their number depends on the matrix alone, and is small
  // beside the entries of a column: adding the sums up is then little of the work.
  constexpr std::int64_t kMostParts = 8;
  const int parts = static_cast<int>(std::clamp<std::int64_t>(
      args.a.num_slots() / (8 * std::max<std::int64_t>(args.a.num_columns, 1)), 1, kMostParts));
  std::vector<T> sums(parts > 1 ? parts * size : 0);
  if (parts == 1) std::fill(args.y, args.y + size, T{0});
  for_row_ranges(parts, args.a.num_slots() / parts * args.channels, threads,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (int part = static_cast<int>(begin); part < end; ++part) {
                     TransposedSpmm<T> own = args;
                     if (parts > 1) own.y = sums.data() + part * size;
                     HGNET_BEST(scatter_rows<T>)
                     (own, first_row(args.a, part, parts), first_row(args.a, part + 1, parts));
                   }
                 });
  if (parts > 1) add_up(sums, size, args.y);
}
HGNET_EXPORT(transposed_spmm);

template <class T>
void slot_dots(const CsrView& a, const T* y, const T* x, T* out, std::int64_t channels,
               int threads) {
  for_row_ranges(a, channels, threads, [&](std::int64_t begin, std::int64_t end) {
    HGNET_BEST(slot_dots_rows<T>)(a, y, x, out, channels, begin, end);
  });
}
HGNET_EXPORT(slot_dots);

}  // namespace hgnet::kernels
#endif
