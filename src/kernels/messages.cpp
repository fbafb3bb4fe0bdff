#include "graph/row_parallel.hpp"
#include "kernels/dispatch.hpp"
#include "kernels/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/messages.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hgnet::kernels::HWY_NAMESPACE {

/// x_u + e of the slot, column block by column block.
template <class T>
struct Message {
  const Messages<T>& args;

  const T* edge_row(EdgeId slot) const {
    if (args.edge_rows == nullptr) return nullptr;
    const std::int64_t row = args.row_of_slot == nullptr ? slot : args.row_of_slot[slot];
    return args.edge_rows + row * args.channels;
  }

  T value(EdgeId slot) const { return args.values == nullptr ? T{1} : args.values[slot]; }
};

template <class D, class T = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> plus_edge(D d, const T* x, const T* edge, std::int64_t at) {
  const auto row = hn::LoadU(d, x + at);
  return edge == nullptr ? row : hn::Add(row, hn::LoadU(d, edge + at));
}

/// y_v, gathered over the slots of row v.
template <class D, int kVectors, class T>
HWY_NOINLINE void message_rows(D d, Block<D, kVectors> block, Messages<T> args, T* y,
                               std::int64_t begin, std::int64_t end) {
  const Message<T> message{args};
  for (std::int64_t v = begin; v < end; ++v) {
    hn::Vec<D> sum[kVectors];
    for (int i = 0; i < kVectors; ++i) sum[i] = hn::Zero(d);
    for (EdgeId s = args.a.offsets[v]; s < args.a.offsets[v + 1]; ++s) {
      const T* x = args.x + args.a.columns[s] * args.channels;
      const T* edge = message.edge_row(s);
      const auto value = hn::Set(d, message.value(s));
      for (int i = 0; i < kVectors; ++i) {
        const auto row = plus_edge(d, x, edge, block.place(d, i));
        const auto positive = hn::IfThenZeroElse(hn::Lt(row, hn::Zero(d)), row);
        sum[i] = hn::MulAdd(value, positive, sum[i]);
      }
    }
    for (int i = 0; i < kVectors; ++i)
      hn::StoreU(sum[i], d, y + v * args.channels + block.place(d, i));
  }
}

/// dx_u, gathered over the edges out of u: the reverse of the slots of row u.
template <class D, int kVectors, class T>
HWY_NOINLINE void node_gradient_rows(D d, Block<D, kVectors> block, Messages<T> args,
                                     const EdgeId* reverse, const T* grad_y, T* grad_x,
                                     std::int64_t begin, std::int64_t end) {
  const Message<T> message{args};
  for (std::int64_t u = begin; u < end; ++u) {
    const T* x = args.x + u * args.channels;
    hn::Vec<D> sum[kVectors];
    for (int i = 0; i < kVectors; ++i) sum[i] = hn::Zero(d);
    for (EdgeId s = args.a.offsets[u]; s < args.a.offsets[u + 1]; ++s) {
      const EdgeId out = reverse[s];
      const T* grad = grad_y + args.a.columns[s] * args.channels;
      const T* edge = message.edge_row(out);
      const auto value = hn::Set(d, message.value(out));
      for (int i = 0; i < kVectors; ++i) {
        const std::int64_t at = block.place(d, i);
        const auto active = hn::Gt(plus_edge(d, x, edge, at), hn::Zero(d));
        const auto flow = hn::IfThenElseZero(active, hn::LoadU(d, grad + at));
        sum[i] = hn::MulAdd(value, flow, sum[i]);
      }
    }
    for (int i = 0; i < kVectors; ++i)
      hn::StoreU(sum[i], d, grad_x + u * args.channels + block.place(d, i));
  }
}

/// de of each slot of row v.
template <class D, int kVectors, class T>
HWY_NOINLINE void edge_gradient_rows(D d, Block<D, kVectors> block, Messages<T> args,
                                     const T* grad_y, T* grad_e, std::int64_t begin,
                                     std::int64_t end) {
  const Message<T> message{args};
  for (std::int64_t v = begin; v < end; ++v) {
    const T* grad = grad_y + v * args.channels;
    for (EdgeId s = args.a.offsets[v]; s < args.a.offsets[v + 1]; ++s) {
      const T* x = args.x + args.a.columns[s] * args.channels;
      const T* edge = message.edge_row(s);
      const auto value = hn::Set(d, message.value(s));
      for (int i = 0; i < kVectors; ++i) {
        const std::int64_t at = block.place(d, i);
        const auto active = hn::Gt(plus_edge(d, x, edge, at), hn::Zero(d));
        const auto flow = hn::IfThenElseZero(active, hn::Mul(value, hn::LoadU(d, grad + at)));
        hn::StoreU(flow, d, grad_e + s * args.channels + at);
      }
    }
  }
}

#define HGNET_FOR_TYPE(T, name)                                                                  \
  void messages_##name(const Messages<T>& args, T* y, std::int64_t begin, std::int64_t end) {    \
    for_blocks<T>(args.channels, [&](auto d, auto block)                                         \
                                     HWY_ATTR { message_rows(d, block, args, y, begin, end); }); \
  }                                                                                              \
  void node_gradient_##name(const Messages<T>& args, const EdgeId* reverse, const T* grad_y,     \
                            T* grad_x, std::int64_t begin, std::int64_t end) {                   \
    for_blocks<T>(args.channels, [&](auto d, auto block) HWY_ATTR {                              \
      node_gradient_rows(d, block, args, reverse, grad_y, grad_x, begin, end);                   \
    });                                                                                          \
  }                                                                                              \
  void edge_gradient_##name(const Messages<T>& args, const T* grad_y, T* grad_e,                 \
                            std::int64_t begin, std::int64_t end) {                              \
    for_blocks<T>(args.channels, [&](auto d, auto block) HWY_ATTR {                              \
      edge_gradient_rows(d, block, args, grad_y, grad_e, begin, end);                            \
    });                                                                                          \
  }
HGNET_FOR_TYPE(float, f32)
HGNET_FOR_TYPE(double, f64)
#undef HGNET_FOR_TYPE

}  // namespace hgnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hgnet::kernels {

HWY_EXPORT(messages_f32);
HWY_EXPORT(messages_f64);
HWY_EXPORT(node_gradient_f32);
HWY_EXPORT(node_gradient_f64);
HWY_EXPORT(edge_gradient_f32);
HWY_EXPORT(edge_gradient_f64);

template <class T>
void relu_messages(const Messages<T>& args, T* y, int threads) {
  for_row_ranges(args.a, args.channels, threads, [&](std::int64_t begin, std::int64_t end) {
    HGNET_DISPATCH(T, messages, args, y, begin, end);
  });
}

template <class T>
void relu_messages_backward(const Messages<T>& args, const EdgeId* reverse, const T* grad_y,
                            T* grad_x, int threads) {
  for_row_ranges(args.a, args.channels, threads, [&](std::int64_t begin, std::int64_t end) {
    HGNET_DISPATCH(T, node_gradient, args, reverse, grad_y, grad_x, begin, end);
  });
}

template <class T>
void relu_messages_edge_backward(const Messages<T>& args, const T* grad_y, T* grad_e, int threads) {
  for_row_ranges(args.a, args.channels, threads, [&](std::int64_t begin, std::int64_t end) {
    HGNET_DISPATCH(T, edge_gradient, args, grad_y, grad_e, begin, end);
  });
}

#define HGNET_INSTANTIATE(T)                                                                  \
  template void relu_messages(const Messages<T>&, T*, int);                                   \
  template void relu_messages_backward(const Messages<T>&, const EdgeId*, const T*, T*, int); \
  template void relu_messages_edge_backward(const Messages<T>&, const T*, T*, int);
HGNET_INSTANTIATE(float)
HGNET_INSTANTIATE(double)
#undef HGNET_INSTANTIATE

}  // namespace hgnet::kernels
#endif
