#pragma once

#include <cstdint>

#include "hgnet/core/ids.hpp"
#include "hgnet/graph/csr.hpp"

namespace hgnet::kernels {

/// Messages value_s ReLU(x_u + e_s) along the slots s of u -> v.
template <class T>
struct Messages {
  CsrView a = {};
  const T* values = nullptr;            // by slot; null: 1
  const T* x = nullptr;                 // [nodes, channels]
  const T* edge_rows = nullptr;         // null: e is 0
  const NodeId* row_of_slot = nullptr;  // row of edge_rows for each slot; null: row s
  std::int64_t channels = 0;
};

/// y_v = sum of the messages into v.
template <class T>
void relu_messages(const Messages<T>& args, T* y, int threads);

/// grad_x_u = sum over the edges u -> v of value [x_u + e > 0] grad_y_v.
template <class T>
void relu_messages_backward(const Messages<T>& args, const EdgeId* reverse, const T* grad_y,
                            T* grad_x, int threads);

/// grad_e_s = value_s [x_u + e_s > 0] grad_y_v by slot.
template <class T>
void relu_messages_edge_backward(const Messages<T>& args, const T* grad_y, T* grad_e, int threads);

}  // namespace hgnet::kernels
