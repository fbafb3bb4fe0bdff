#pragma once

#include <cstdint>

#include "kernels/spmm.hpp"

namespace hgnet::kernels {

/// y_r = add_r + parent_rows_{parent_r} + x_r root + (M x)_r weight with M = A_values +
/// diag(diagonal); and, with a second matrix `other`, the sums over all rows r of x_r^T other_r and
/// (M x)_r^T other_r. Null pointers mean none. M x is never written out: the rows are processed in
/// tiles that stay in the nearest cache. For small matrices root and weight, which stay there, too.
///
/// This is a layer forward; and backward, with x the gradient of its result, `other` its input, and
/// the matrices transposed.
template <class T>
struct LinearRows {
  std::int64_t rows = 0;
  std::int64_t in = 0;   // width of x
  std::int64_t out = 0;  // width of y, add and parent_rows
  CsrView a = {};
  SlotValues<T> values = {};
  const T* diagonal = nullptr;
  const T* x = nullptr;
  const T* root = nullptr;    // [in, out]
  const T* weight = nullptr;  // [in, out]
  const T* add = nullptr;
  const NodeId* parent = nullptr;
  const T* parent_rows = nullptr;
  T* y = nullptr;
  const T* other = nullptr;
  std::int64_t other_width = 0;
  T* own_outer = nullptr;       // [in, other_width]
  T* gathered_outer = nullptr;  // [in, other_width]

  bool gathers() const { return weight != nullptr || gathered_outer != nullptr; }
};

template <class T>
void linear_rows(const LinearRows<T>& args, int threads);

}  // namespace hgnet::kernels
