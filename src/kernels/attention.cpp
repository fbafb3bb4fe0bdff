// GAT's attention. A place is an edge u -> v or a node's self-loop; for each place and head
//
//   logit = LeakyReLU(source_u + target_v),  alpha = softmax of logit over the places into v,
//   kept  = keep alpha,
//   y_v   = sum of kept x_u over the places into v;
//
// and backward, since d alpha = keep (dy_v . x_u) and a softmax has d logit = alpha (d alpha - sum
// of alpha d alpha),
//
//   dlogit    = LeakyReLU'(logit)
//               (kept (dy_v . x_u) - alpha sum of kept (dy_v . x_w) over the places w -> v),
//   dtarget_v = sum of dlogit into v,  dsource_u = sum of dlogit out of u,
//   dx_u      = sum of kept dy_v over the places out of u: the forward sum with the edges reversed.
//
// Arrays by place or node store the heads side by side in vectors.

#include "kernels/attention.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "graph/row_parallel.hpp"
#include "kernels/export.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/attention.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include "kernels/exp-inl.h"
#include "kernels/head_dots-inl.h"
#include "kernels/lanes-inl.h"
#include "kernels/memory-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hgnet::kernels::HWY_NAMESPACE {

/// The heads of one vector, in arrays [*, heads].
template <class D>
struct Heads {
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;
  std::int64_t heads;
  std::int64_t first;  // head of the vector

  HWY_INLINE V load(const T* from, std::int64_t row) const {
    return hn::LoadU(D(), from + row * heads + first);
  }
  HWY_INLINE void store(V v, T* to, std::int64_t row) const {
    hn::StoreU(v, D(), to + row * heads + first);
  }
  HWY_INLINE V all(T value) const { return hn::Set(D(), value); }
};

/// Calls body(Heads) until all heads are covered.
template <class T, class Body>
HWY_INLINE void for_heads(std::int64_t heads, const Body& body) {
  with_vectors<T>(heads, [&](auto d) HWY_ATTR {
    for_vectors(d, heads, [&](std::int64_t first) HWY_ATTR {
      body(Heads<decltype(d)>{heads, first});
    });
  });
}

/// Calls body(place, u) for the places into v: its own self-loop, then its slots.
template <class Body>
HWY_INLINE void for_places_into(const CsrView& a, std::int64_t v, const Body& body) {
  body(a.num_slots() + v, v);
  for (EdgeId s = a.offsets[v]; s < a.offsets[v + 1]; ++s) body(s, std::int64_t{a.columns[s]});
}

template <class V>
HWY_INLINE V leaky_relu(V z, V slope) {
  const hn::DFromV<V> d;
  return hn::IfThenElse(hn::Gt(z, hn::Zero(d)), z, hn::Mul(slope, z));
}

template <class V>
HWY_INLINE V leaky_relu_derivative(V z, V slope) {
  const hn::DFromV<V> d;
  return hn::IfThenElse(hn::Gt(z, hn::Zero(d)), hn::Set(d, 1), slope);
}

/// By place into v: logit less the row's largest, the exponent of its share.
template <class D, class T>
HWY_INLINE void exponents_into(Heads<D> h, const Attention<T>& args, T* HWY_RESTRICT out,
                               std::int64_t v) {
  const CsrView& a = args.a;
  const auto slope = h.all(args.slope);
  const auto target = h.load(args.target, v);
  auto largest = h.all(-std::numeric_limits<T>::infinity());
  for_places_into(a, v, [&](EdgeId place, std::int64_t u) HWY_ATTR {
    const auto z = leaky_relu(hn::Add(h.load(args.source, u), target), slope);
    h.store(z, out, place);
    largest = hn::Max(largest, z);
  });
  const EdgeId own = a.num_slots() + v;
  for_places_into(a, v, [&](EdgeId place, std::int64_t u) HWY_ATTR {
    // A self-loop among the slots is skipped: every node already has one.
    const auto z = u == v && place != own ? h.all(-std::numeric_limits<T>::infinity())
                                          : hn::Sub(h.load(out, place), largest);
    h.store(z, out, place);
  });
}

/// alpha and kept of the places into v, from the exponentials in alpha.
template <class D, class T>
HWY_INLINE void shares_into(Heads<D> h, const CsrView& a, const T* keep, T* alpha, T* kept,
                            std::int64_t v) {
  auto sum = hn::Zero(D());
  for_places_into(
      a, v, [&](EdgeId place, std::int64_t) HWY_ATTR { sum = hn::Add(sum, h.load(alpha, place)); });
  const auto inverse = hn::Div(h.all(1), sum);
  for_places_into(a, v, [&](EdgeId place, std::int64_t) HWY_ATTR {
    const auto share = hn::Mul(h.load(alpha, place), inverse);
    h.store(share, alpha, place);
    if (keep != nullptr) h.store(hn::Mul(share, h.load(keep, place)), kept, place);
  });
}

/// Places into the rows first .. last - 1.
HWY_INLINE std::int64_t num_places(const CsrView& a, std::int64_t first, std::int64_t last) {
  return a.offsets[last] - a.offsets[first] + last - first;
}

/// Calls body(first, last) for a few rows at a time, so that what is computed by place stays in the
/// nearest cache until it is used.
template <class Body>
HWY_INLINE void for_near_rows(const CsrView& a, std::int64_t begin, std::int64_t end,
                              const Body& body) {
  constexpr std::int64_t kPlaces = 512;
  for (std::int64_t first = begin; first < end;) {
    std::int64_t last = first + 1;
    while (last < end && num_places(a, first, last + 1) <= kPlaces) ++last;
    body(first, last);
    first = last;
  }
}

/// Exponentials take most of the time. A place has few heads, so they are computed for all places
/// of some rows together, in full vectors.
template <class T>
void alpha_rows(const Attention<T>& args, const T* keep, T* alpha, T* kept, std::int64_t begin,
                std::int64_t end) {
  const CsrView& a = args.a;
  const std::int64_t heads = args.heads;
  for_near_rows(a, begin, end, [&](std::int64_t first, std::int64_t last) HWY_ATTR {
    for_heads<T>(heads, [&](auto h) HWY_ATTR {
      for (std::int64_t v = first; v < last; ++v) exponents_into(h, args, alpha, v);
    });
    exp_in_place(alpha + a.offsets[first] * heads, (a.offsets[last] - a.offsets[first]) * heads);
    exp_in_place(alpha + (a.num_slots() + first) * heads, (last - first) * heads);
    for_heads<T>(heads, [&](auto h) HWY_ATTR {
      for (std::int64_t v = first; v < last; ++v) shares_into(h, a, keep, alpha, kept, v);
    });
  });
}

/// Columns of `group` of the heads h .. h + kHeads - 1 of y_v = sum of kept x_u over the places
/// into v or, given `reverse`, out of v; all these heads in one pass over the slots.
template <int kHeads, class Group, class T>
HWY_NOINLINE void aggregate_heads(Group group, const Attention<T>& args, const EdgeId* reverse,
                                  const T* kept, const T* x, T* y, std::int64_t h,
                                  std::int64_t begin, std::int64_t end) {
  const CsrView& a = args.a;
  const std::int64_t heads = args.heads;
  const std::int64_t channels = args.channels;
  const std::int64_t width = heads * channels;
  const RowFetch<T> fetch(x, a.num_rows(), width);
  for (std::int64_t v = begin; v < end; ++v) {
    typename Group::Row sum[kHeads];
    for (int i = 0; i < kHeads; ++i) sum[i] = group.all(T{0});
    const auto add = [&](EdgeId place, std::int64_t u) HWY_ATTR {
      const T* factor = kept + place * heads + h;
      const T* row = x + u * width + h * channels;
      for (int i = 0; i < kHeads; ++i) group.add(factor[i], row + i * channels, sum[i]);
    };
    add(a.num_slots() + v, v);
    for (EdgeId s = a.offsets[v]; s < a.offsets[v + 1]; ++s) {
      fetch(a.columns, s, h * channels, (h + kHeads) * channels);
      add(reverse != nullptr ? reverse[s] : s, a.columns[s]);
    }
    for (int i = 0; i < kHeads; ++i) group.store(sum[i], y + v * width + (h + i) * channels);
  }
}

/// As many heads at a time as leave registers for their sums.
template <class T>
void aggregate_rows(const Attention<T>& args, const EdgeId* reverse, const T* kept, const T* x,
                    T* y, std::int64_t begin, std::int64_t end) {
  for_groups<T, 8>(args.channels, [&](auto group) HWY_ATTR {
    constexpr int kMany = group.kCount == 1 ? 8 : group.kCount == 2 ? 4 : 1;
    constexpr int kSome = group.kCount <= 2 ? 4 : 1;
    for (std::int64_t h = 0; h < args.heads;) {
      const auto aggregate_next = [&]<int kHeads>() HWY_ATTR {
        aggregate_heads<kHeads>(group, args, reverse, kept, x, y, h, begin, end);
        h += kHeads;
      };
      if (args.heads - h >= kMany) {
        aggregate_next.template operator()<kMany>();
      } else if (args.heads - h >= kSome) {
        aggregate_next.template operator()<kSome>();
      } else {
        aggregate_next.template operator()<1>();
      }
    }
  });
}

/// dlogit of the places into v and their sum dtarget_v. `dots` holds dy_v . x_u of these places,
/// consecutively.
template <class D, class T>
HWY_INLINE void logit_gradient_into(Heads<D> h, const Attention<T>& args, const T* alpha,
                                    const T* kept, const T* dots, T* HWY_RESTRICT grad_logits,
                                    T* HWY_RESTRICT grad_target, std::int64_t v) {
  const D d;
  const auto slope = h.all(args.slope);
  const auto target = h.load(args.target, v);
  const T* dot = dots;
  auto sum = hn::Zero(d);
  for_places_into(args.a, v, [&](EdgeId place, std::int64_t) HWY_ATTR {
    sum = hn::Add(sum, hn::Mul(h.load(kept, place), h.load(dot, 0)));
    dot += args.heads;
  });
  dot = dots;
  auto into = hn::Zero(d);
  for_places_into(args.a, v, [&](EdgeId place, std::int64_t u) HWY_ATTR {
    const auto of_place = hn::Mul(h.load(kept, place), h.load(dot, 0));
    dot += args.heads;
    const auto of_softmax = hn::NegMulAdd(h.load(alpha, place), sum, of_place);
    const auto z = hn::Add(h.load(args.source, u), target);
    const auto grad = hn::Mul(of_softmax, leaky_relu_derivative(z, slope));
    h.store(grad, grad_logits, place);
    into = hn::Add(into, grad);
  });
  h.store(into, grad_target, v);
}

/// dy_v . x_u of the places into the rows first .. last - 1, consecutively, head by head.
template <class Dots, class T>
HWY_INLINE void dots_of_rows(const Dots& head_dots, const Attention<T>& args,
                             const RowFetch<T>& fetch, const T* grad_y, std::int64_t first,
                             std::int64_t last, T* out) {
  const CsrView& a = args.a;
  const std::int64_t width = args.heads * args.channels;
  const auto take = [&](std::int64_t v, std::int64_t u) HWY_ATTR {
    head_dots(grad_y + v * width, args.x + u * width, out);
    out += args.heads;
  };
  for (std::int64_t v = first; v < last; ++v) {
    take(v, v);
    for (EdgeId s = a.offsets[v]; s < a.offsets[v + 1]; ++s) {
      fetch(a.columns, s, 0, width);
      take(v, a.columns[s]);
    }
  }
}

template <class T>
void logit_gradient_rows(const Attention<T>& args, const T* alpha, const T* kept, const T* grad_y,
                         T* grad_logits, T* grad_target, std::int64_t begin, std::int64_t end) {
  const CsrView& a = args.a;
  const std::int64_t heads = args.heads;
  const RowFetch<T> fetch(args.x, a.num_rows(), heads * args.channels);
  std::vector<T> dots;
  for_near_rows(a, begin, end, [&](std::int64_t first, std::int64_t last) HWY_ATTR {
    dots.resize(
        std::max(dots.size(), static_cast<std::size_t>(num_places(a, first, last) * heads)));
    with_head_dots<T>(heads, args.channels, [&](auto head_dots) HWY_ATTR {
      dots_of_rows(head_dots, args, fetch, grad_y, first, last, dots.data());
    });
    for_heads<T>(heads, [&](auto h) HWY_ATTR {
      for (std::int64_t v = first; v < last; ++v) {
        const T* of_row = dots.data() + num_places(a, first, v) * heads;
        logit_gradient_into(h, args, alpha, kept, of_row, grad_logits, grad_target, v);
      }
    });
  });
}

/// out_u = sum of by_place over the places out of u.
template <class T>
void sum_out_rows(const Attention<T>& args, const EdgeId* reverse, const T* HWY_RESTRICT by_place,
                  T* HWY_RESTRICT out, std::int64_t begin, std::int64_t end) {
  const CsrView& a = args.a;
  for_heads<T>(args.heads, [&](auto h) HWY_ATTR {
    for (std::int64_t u = begin; u < end; ++u) {
      auto sum = h.load(by_place, a.num_slots() + u);
      for (EdgeId s = a.offsets[u]; s < a.offsets[u + 1]; ++s)
        sum = hn::Add(sum, h.load(by_place, reverse[s]));
      h.store(sum, out, u);
    }
  });
}

}  // namespace hgnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hgnet::kernels {

template <class T>
void attention(const Attention<T>& args, const T* keep, T* alpha, T* kept, T* y, int threads) {
  const std::int64_t work = args.heads * (args.channels + 16);
  for_row_ranges(args.a, work, threads, [&](std::int64_t begin, std::int64_t end) {
    HGNET_BEST(alpha_rows<T>)(args, keep, alpha, kept, begin, end);
    HGNET_BEST(aggregate_rows<T>)(args, nullptr, kept, args.x, y, begin, end);
  });
}
HGNET_EXPORT(attention);

template <class T>
void attention_backward(const Attention<T>& args, const EdgeId* reverse, const T* alpha,
                        const T* kept, const T* grad_y, const AttentionGradients<T>& gradients,
                        int threads) {
  const std::int64_t work = args.heads * args.channels;
  for_row_ranges(args.a, work, threads, [&](std::int64_t begin, std::int64_t end) {
    HGNET_BEST(logit_gradient_rows<T>)
    (args, alpha, kept, grad_y, gradients.logits, gradients.target, begin, end);
  });
  for_row_ranges(args.a, work, threads, [&](std::int64_t begin, std::int64_t end) {
    HGNET_BEST(sum_out_rows<T>)(args, reverse, gradients.logits, gradients.source, begin, end);
    HGNET_BEST(aggregate_rows<T>)(args, reverse, kept, grad_y, gradients.x, begin, end);
  });
}
HGNET_EXPORT(attention_backward);

}  // namespace hgnet::kernels
#endif
