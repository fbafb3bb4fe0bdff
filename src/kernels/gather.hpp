#pragma once

#include <cstdint>

#include "hgnet/core/ids.hpp"

namespace hgnet::kernels {

/// y_v = add_v + scale_p x_p and dot_v = own_v . x_p with p = parent_v; just add_v and 0 if
/// parent_v is kNoNode. `scale` may be null: 1, `add`: 0, `y` and `dot`: not computed. y may be add.
template <class T>
struct GatherRows {
  const NodeId* parent = nullptr;
  std::int64_t num_rows = 0;
  std::int64_t channels = 0;
  const T* scale = nullptr;
  const T* x = nullptr;
  const T* add = nullptr;
  T* y = nullptr;
  const T* own = nullptr;
  T* dot = nullptr;
};

template <class T>
void gather_rows(const GatherRows<T>& args, int threads);

}  // namespace hgnet::kernels
