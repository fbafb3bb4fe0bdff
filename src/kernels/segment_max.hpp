#pragma once

#include <cstdint>

#include "hgnet/core/ids.hpp"
#include "hgnet/graph/csr.hpp"

namespace hgnet::kernels {

/// Row numbers that go with values of type T: integers of the same width, so that both fit one
/// vector.
template <class T>
struct IndexOf;
template <>
struct IndexOf<float> {
  using type = std::int32_t;
};
template <>
struct IndexOf<double> {
  using type = std::int64_t;
};

/// y_pc = max over members v of p of x_vc, and the first v that has it; 0 and -1 without members.
template <class T>
void segment_max(const CsrView& members, const T* x, T* y, typename IndexOf<T>::type* first,
                 std::int64_t channels, int threads);

/// grad_x_vc = grad_y_pc if v is the first of p = parent_v in column c, else 0.
template <class T>
void segment_max_backward(const NodeId* parent, std::int64_t num_rows,
                          const typename IndexOf<T>::type* first, const T* grad_y, T* grad_x,
                          std::int64_t channels, int threads);

}  // namespace hgnet::kernels
