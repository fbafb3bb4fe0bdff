#pragma once

#include <cstdint>

#include "hgnet/core/activation.hpp"

namespace hgnet::kernels {

/// Dropout of one call: a hash of seed, r and c decides whether entry (r, c) is kept, so that the
/// backward pass computes the same mask again without storing it. p = 0: nothing is dropped.
struct DropoutMask {
  double p = 0;
  std::uint64_t seed = 0;
};

/// y = mask act(a) / (1 - p) + residual with a_rc = scale_c z_rc + shift_c. scale, shift and
/// residual may be null: 1, 0 and 0.
template <class T>
struct AffineAct {
  std::int64_t rows = 0;
  std::int64_t channels = 0;
  const T* z = nullptr;
  const T* scale = nullptr;
  const T* shift = nullptr;
  const T* residual = nullptr;
  Activation activation = Activation::kNone;
  DropoutMask dropout = {};
};

template <class T>
void affine_act(const AffineAct<T>& args, T* y, int threads);

/// With grad_a = d loss / d a: grad_z = gain_c grad_a + factor_c z + offset_c. factor, offset and
/// gain may be null: 0, 0 and 1.
template <class T>
struct InputGradient {
  T* grad_z = nullptr;  // null: not needed
  const T* gain = nullptr;
  const T* factor = nullptr;
  const T* offset = nullptr;
};

/// By column `sum` = sum of grad_a and `product` = sum of grad_a (z - centre), `centre` null: 0.
struct ColumnSums {
  double* sum = nullptr;  // null: not needed
  double* product = nullptr;
};

template <class T>
void affine_act_backward(const AffineAct<T>& args, const T* grad_y, const T* centre,
                         const InputGradient<T>& gradient, ColumnSums sums, int threads);

/// out_i = 1 / (1 - p) or 0.
template <class T>
void dropout_factors(DropoutMask dropout, std::int64_t n, T* out);

}  // namespace hgnet::kernels
