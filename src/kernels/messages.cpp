// Messages value ReLU(x_u + e) along edges: summed at the node they reach; their gradients,
// gathered over the edges out of a node and written edge by edge. A message is computed where it is
// used and never stored.

#include "kernels/messages.hpp"

#include "graph/row_parallel.hpp"
#include "kernels/export.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/messages.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hgnet::kernels::HWY_NAMESPACE {

/// The data of a slot: value and x_u + e.
template <class T>
struct Message {
  T value;
  const T* x;
  const T* edge;  // null: 0

  Message(const Messages<T>& args, EdgeId slot, std::int64_t u)
      : value(args.values == nullptr ? T{1} : args.values[slot]),
        x(args.x + u * args.channels),
        edge(nullptr) {
    if (args.edge_rows == nullptr) return;
    const std::int64_t row = args.row_of_slot == nullptr ? slot : args.row_of_slot[slot];
    edge = args.edge_rows + row * args.channels;
  }

  template <class D>
  HWY_INLINE hn::Vec<D> sum(D d, std::int64_t column) const {
    const auto row = hn::LoadU(d, x + column);
    return edge == nullptr ? row : hn::Add(row, hn::LoadU(d, edge + column));
  }

  /// The sum, or 0 if it is negative; NaN stays NaN.
  template <class D>
  HWY_INLINE hn::Vec<D> relu(D d, std::int64_t column) const {
    const auto row = sum(d, column);
    return hn::IfThenZeroElse(hn::Lt(row, hn::Zero(d)), row);
  }

  /// grad where the message is active, 0 elsewhere.
  template <class D, class V = hn::Vec<D>>
  HWY_INLINE V where_active(D d, std::int64_t column, V grad) const {
    return hn::IfThenElseZero(hn::Gt(sum(d, column), hn::Zero(d)), grad);
  }
};

/// y_v, over the slots of row v.
template <class Group, class T>
HWY_NOINLINE void message_columns(Group group, Messages<T> args, T* y, std::int64_t begin,
                                  std::int64_t end) {
  const typename Group::Tag d;
  for (std::int64_t v = begin; v < end; ++v) {
    auto sum = group.all(T{0});
    for (EdgeId s = args.a.offsets[v]; s < args.a.offsets[v + 1]; ++s) {
      const Message<T> message(args, s, args.a.columns[s]);
      const auto value = hn::Set(d, message.value);
      for (int i = 0; i < Group::kCount; ++i)
        sum.v[i] = hn::MulAdd(value, message.relu(d, group.column(i)), sum.v[i]);
    }
    group.store(sum, y + v * args.channels);
  }
}

/// dx_u, over the edges out of u: the reverse of the slots of row u.
template <class Group, class T>
HWY_NOINLINE void node_gradient_columns(Group group, Messages<T> args, const EdgeId* reverse,
                                        const T* grad_y, T* grad_x, std::int64_t begin,
                                        std::int64_t end) {
  const typename Group::Tag d;
  for (std::int64_t u = begin; u < end; ++u) {
    auto sum = group.all(T{0});
    for (EdgeId s = args.a.offsets[u]; s < args.a.offsets[u + 1]; ++s) {
      const Message<T> message(args, reverse[s], u);
      const auto value = hn::Set(d, message.value);
      const auto grad = group.load(grad_y + args.a.columns[s] * args.channels);
      for (int i = 0; i < Group::kCount; ++i) {
        const auto flow = message.where_active(d, group.column(i), grad.v[i]);
        sum.v[i] = hn::MulAdd(value, flow, sum.v[i]);
      }
    }
    group.store(sum, grad_x + u * args.channels);
  }
}

template <class T>
void message_rows(const Messages<T>& args, T* y, std::int64_t begin, std::int64_t end) {
  for_groups<T, 8>(args.channels,
                   [&](auto group) HWY_ATTR { message_columns(group, args, y, begin, end); });
}

template <class T>
void node_gradient_rows(const Messages<T>& args, const EdgeId* reverse, const T* grad_y, T* grad_x,
                        std::int64_t begin, std::int64_t end) {
  for_groups<T, 8>(args.channels, [&](auto group) HWY_ATTR {
    node_gradient_columns(group, args, reverse, grad_y, grad_x, begin, end);
  });
}

/// de of each slot of row v.
template <class T>
void edge_gradient_rows(const Messages<T>& args, const T* grad_y, T* grad_e, std::int64_t begin,
                        std::int64_t end) {
  with_vectors<T>(args.channels, [&](auto d) HWY_ATTR {
    for (std::int64_t v = begin; v < end; ++v) {
      const T* grad = grad_y + v * args.channels;
      for (EdgeId s = args.a.offsets[v]; s < args.a.offsets[v + 1]; ++s) {
        const Message<T> message(args, s, args.a.columns[s]);
        const auto value = hn::Set(d, message.value);
        for_vectors(d, args.channels, [&](std::int64_t column) HWY_ATTR {
          const auto flow = hn::Mul(value, hn::LoadU(d, grad + column));
          hn::StoreU(message.where_active(d, column, flow), d, grad_e + s * args.channels + column);
        });
      }
    }
  });
}

}  // namespace hgnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hgnet::kernels {

template <class T>
void relu_messages(const Messages<T>& args, T* y, int threads) {
  for_row_ranges(args.a, args.channels, threads, [&](std::int64_t begin, std::int64_t end) {
    HGNET_BEST(message_rows<T>)(args, y, begin, end);
  });
}
HGNET_EXPORT(relu_messages);

template <class T>
void relu_messages_backward(const Messages<T>& args, const EdgeId* reverse, const T* grad_y,
                            T* grad_x, int threads) {
  for_row_ranges(args.a, args.channels, threads, [&](std::int64_t begin, std::int64_t end) {
    HGNET_BEST(node_gradient_rows<T>)(args, reverse, grad_y, grad_x, begin, end);
  });
}
HGNET_EXPORT(relu_messages_backward);

template <class T>
void relu_messages_edge_backward(const Messages<T>& args, const T* grad_y, T* grad_e, int threads) {
  for_row_ranges(args.a, args.channels, threads, [&](std::int64_t begin, std::int64_t end) {
    HGNET_BEST(edge_gradient_rows<T>)(args, grad_y, grad_e, begin, end);
  });
}
HGNET_EXPORT(relu_messages_edge_backward);

}  // namespace hgnet::kernels
#endif
