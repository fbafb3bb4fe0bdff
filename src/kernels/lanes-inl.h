// Rows of any width in vector registers, without masks. Per-target, so it has no ordinary include
// guard: see Highway's foreach_target.h.

#if defined(HGNET_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HGNET_LANES_INL_H_
#undef HGNET_LANES_INL_H_
#else
#define HGNET_LANES_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

#include "hgnet/core/ids.hpp"

HWY_BEFORE_NAMESPACE();
namespace hgnet::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class D>
HWY_INLINE constexpr std::int64_t lanes(D d) {
  return static_cast<std::int64_t>(hn::Lanes(d));
}

/// Calls body(d) with the widest vectors that are not wider than a row of `channels`; not at all
/// for an empty row.
template <class D, class Body>
HWY_INLINE void with_vectors(D d, std::int64_t channels, const Body& body) {
  if (channels >= lanes(d)) {
    body(d);
  } else if constexpr (hn::MaxLanes(D()) > 1) {
    with_vectors(hn::CappedTag<hn::TFromD<D>, hn::MaxLanes(D()) / 2>(), channels, body);
  }
}

template <class T, class Body>
HWY_INLINE void with_vectors(std::int64_t channels, const Body& body) {
  with_vectors(hn::ScalableTag<T>(), channels, body);
}

/// Calls body(column) with the first column of each vector of a row, for loops that keep nothing in
/// registers from row to row. The last vector ends with the row, so it may overlap the one before:
/// both then compute the same values for the columns they share, which makes masks unnecessary. The
/// row must not be narrower than a vector.
template <class D, class Body>
HWY_INLINE void for_vectors(D d, std::int64_t channels, const Body& body) {
  const std::int64_t last = channels - lanes(d);
  for (std::int64_t column = 0; column < channels; column += lanes(d)) body(std::min(column, last));
}

/// `stream`: bypass the caches, see worth_streaming.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void store(D d, V v, hn::TFromD<D>* to, bool stream) {
  if (stream) {
    hn::Stream(v, d, to);
  } else {
    hn::StoreU(v, d, to);
  }
}

/// kVectors vectors side by side that cover some columns of a row, few enough to stay in registers
/// over many rows. The last one may overlap the one before, as in for_vectors.
template <class D, int kVectors>
class VectorGroup {
 public:
  using Tag = D;
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;
  static constexpr int kCount = kVectors;

  /// One number for each column, in registers.
  struct Row {
    V v[kVectors];
  };

  VectorGroup(std::int64_t first, std::int64_t last_vector) : first_(first), last_(last_vector) {}

  std::int64_t begin() const { return first_; }
  std::int64_t end() const { return last_ + lanes(D()); }

  /// First column of vector i.
  HWY_INLINE std::int64_t column(int i) const {
    return i + 1 == kVectors ? last_ : first_ + i * lanes(D());
  }

  HWY_INLINE Row all(T value) const {
    Row row;
    for (int i = 0; i < kVectors; ++i) row.v[i] = hn::Set(D(), value);
    return row;
  }

  HWY_INLINE Row load(const T* from) const {
    Row row;
    for (int i = 0; i < kVectors; ++i) row.v[i] = hn::LoadU(D(), from + column(i));
    return row;
  }

  HWY_INLINE Row load_or(const T* from, T otherwise) const {
    return from == nullptr ? all(otherwise) : load(from);
  }

  HWY_INLINE void store(const Row& row, T* to, bool stream = false) const {
    for (int i = 0; i < kVectors; ++i) HWY_NAMESPACE::store(D(), row.v[i], to + column(i), stream);
  }

  /// sum += row
  HWY_INLINE void add(const T* row, Row& sum) const {
    for (int i = 0; i < kVectors; ++i)
      sum.v[i] = hn::Add(sum.v[i], hn::LoadU(D(), row + column(i)));
  }

  /// sum += factor row
  HWY_INLINE void add(T factor, const T* row, Row& sum) const { add(factor, load(row), sum); }
  HWY_INLINE void add(T factor, const Row& row, Row& sum) const {
    const V f = hn::Set(D(), factor);
    for (int i = 0; i < kVectors; ++i) sum.v[i] = hn::MulAdd(f, row.v[i], sum.v[i]);
  }

  /// sum *= factor
  HWY_INLINE void scale(T factor, Row& sum) const {
    const V f = hn::Set(D(), factor);
    for (int i = 0; i < kVectors; ++i) sum.v[i] = hn::Mul(f, sum.v[i]);
  }

 private:
  std::int64_t first_;
  std::int64_t last_;
};

/// Calls body with a group of `vectors` vectors, at most kMost.
template <int kMost, class D, class Body>
HWY_INLINE void with_group(D d, std::int64_t vectors, std::int64_t first, std::int64_t last,
                           const Body& body) {
  if constexpr (kMost > 1) {
    if (vectors < kMost) {
      with_group<kMost - 1>(d, vectors, first, last, body);
      return;
    }
  }
  body(VectorGroup<D, kMost>(first, last));
}

/// Calls body(group) with one group after the other until all columns of a row of `channels` are
/// covered, with at most kMost vectors in each.
template <class T, int kMost, class Body>
HWY_INLINE void for_groups(std::int64_t channels, const Body& body) {
  with_vectors<T>(channels, [&](auto d) HWY_ATTR {
    // A row that is narrower than the widest vectors has fewer than two of d's.
    constexpr int kLanes = static_cast<int>(hn::MaxLanes(d));
    constexpr bool kNarrow = kLanes < static_cast<int>(hn::MaxLanes(hn::ScalableTag<T>()));
    constexpr int kHere = kLanes == 1 ? 1 : kNarrow ? std::min(kMost, 2) : kMost;
    for (std::int64_t first = 0; first < channels; first += kHere * lanes(d)) {
      const std::int64_t vectors = (channels - first + lanes(d) - 1) / lanes(d);
      const std::int64_t last =
          vectors <= kHere ? channels - lanes(d) : first + (kHere - 1) * lanes(d);
      with_group<kHere>(d, vectors, first, last, body);
    }
  });
}

/// sum of x_i y_i over i < n. Full vectors first, the rest in ever smaller ones.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE T dot(D d, const T* x, const T* y, std::int64_t n) {
  T sum = 0;
  std::int64_t i = 0;
  if (n >= lanes(d)) {
    auto total = hn::Mul(hn::LoadU(d, x), hn::LoadU(d, y));
    for (i = lanes(d); i + lanes(d) <= n; i += lanes(d)) {
      total = hn::MulAdd(hn::LoadU(d, x + i), hn::LoadU(d, y + i), total);
    }
    sum = hn::GetLane(hn::SumOfLanes(d, total));
  }
  if constexpr (hn::MaxLanes(D()) > 1) {
    if (i < n) sum += dot(hn::CappedTag<T, hn::MaxLanes(D()) / 2>(), x + i, y + i, n - i);
  }
  return sum;
}

}  // namespace hgnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
