#pragma once

#include <cstdint>

#include "hgnet/core/ids.hpp"
#include "hgnet/graph/csr.hpp"

namespace hgnet::kernels {

/// Where the slots of a sparse matrix find their values.
template <class T>
struct SlotValues {
  const T* values = nullptr;         // null: every value is 1
  const EdgeId* position = nullptr;  // null: slot s has values[s]; otherwise values[position[s]]
};

/// Dense rows of a matrix that may be part of a wider one: row r starts at data + r * stride.
template <class T>
struct Rows {
  T* data = nullptr;
  std::int64_t stride = 0;

  T* row(std::int64_t r) const { return data + r * stride; }
};

/// y_r = add_r + row_scale_r (diagonal_r x_r + sum over slots s of row r of value_s x_{column_s})
///       + parent_rows_{parent_r}.
/// Null means none for add, diagonal and parents; 1 for row_scale and values.
template <class T>
struct Spmm {
  CsrView a = {};
  SlotValues<T> values = {};
  const T* diagonal = nullptr;
  const T* row_scale = nullptr;
  Rows<const T> add = {};
  const NodeId* parent = nullptr;
  const T* parent_rows = nullptr;
  Rows<const T> x = {};
  Rows<T> y = {};
  std::int64_t channels = 0;
};

template <class T>
void spmm(const Spmm<T>& args, int threads);

/// y = A^T x: y_k = sum over the slots s with column k, in the order of their rows r, of value_s
/// x_r. It goes through A row by row and adds to rows of y, best few enough to stay in a cache: the
/// gradient of weights that sparse features are multiplied with. Values must be finite: rows of x
/// that are zero are passed over.
template <class T>
struct TransposedSpmm {
  CsrView a = {};
  const T* values = nullptr;
  const T* x = nullptr;
  T* y = nullptr;
  std::int64_t channels = 0;
};

template <class T>
void transposed_spmm(const TransposedSpmm<T>& args, int threads);

/// out_s = y_r . x_{column_s} for the slot s of row r: the gradient of spmm's values.
template <class T>
void slot_dots(const CsrView& a, const T* y, const T* x, T* out, std::int64_t channels,
               int threads);

}  // namespace hgnet::kernels
