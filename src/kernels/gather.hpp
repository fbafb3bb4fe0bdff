#pragma once

#include <cstdint>

#include "hgnet/core/ids.hpp"

namespace hgnet::kernels {

/// y_v = add_v + scale_p x_p with p = parent_v; just add_v if parent_v is kNoNode. `scale` may be
/// null: 1, and `add`: 0.
template <class T>
struct GatherRows {
  const NodeId* parent = nullptr;
  std::int64_t num_rows = 0;
  std::int64_t channels = 0;
  const T* scale = nullptr;
  const T* x = nullptr;
  const T* add = nullptr;
  T* y = nullptr;
};

template <class T>
void gather_rows(const GatherRows<T>& args, int threads);

/// out_v = x_v . y_p with p = parent_v, 0 where parent_v is kNoNode.
template <class T>
void parent_dots(const NodeId* parent, std::int64_t num_rows, std::int64_t channels, const T* x,
                 const T* y, T* out, int threads);

}  // namespace hgnet::kernels
