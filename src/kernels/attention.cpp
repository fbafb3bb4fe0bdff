#include <algorithm>
#include <vector>

#include "graph/row_parallel.hpp"
#include "kernels/dispatch.hpp"
#include "kernels/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/attention.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "kernels/lanes-inl.h"
#include "kernels/softmax-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hgnet::kernels::HWY_NAMESPACE {

template <class D, class V = hn::Vec<D>>
HWY_INLINE V leaky_relu(D d, V z, V slope) {
  return hn::IfThenElse(hn::Gt(z, hn::Zero(d)), z, hn::Mul(slope, z));
}

/// alpha and kept of all places into the rows begin .. end - 1, heads side by side in a vector.
template <class T>
void alpha_range(const Attention<T>& args, const T* keep, T* alpha, T* kept, std::int64_t begin,
                 std::int64_t end) {
  const CsrView& a = args.a;
  const std::int64_t heads = args.heads;
  for_blocks<T>(heads, [&](auto d, auto block) HWY_ATTR {
    constexpr int kVectors = decltype(block)::kCount;
    const auto slope = hn::Set(d, args.slope);
    for (std::int64_t v = begin; v < end; ++v) {
      for (int i = 0; i < kVectors; ++i) {
        const std::int64_t at = block.place(d, i);
        const auto target = hn::LoadU(d, args.target + v * heads + at);
        const auto logit = [&](std::int64_t u) HWY_ATTR {
          return leaky_relu(d, hn::Add(hn::LoadU(d, args.source + u * heads + at), target), slope);
        };
        const auto own = logit(v);
        auto largest = own;
        for (EdgeId s = a.offsets[v]; s < a.offsets[v + 1]; ++s) {
          const auto z = logit(a.columns[s]);
          hn::StoreU(z, d, alpha + s * heads + at);
          largest = hn::Max(largest, z);
        }
        const auto own_exp = exp_or_nan(d, hn::Sub(own, largest));
        auto sum = own_exp;
        for (EdgeId s = a.offsets[v]; s < a.offsets[v + 1]; ++s) {
          T* place = alpha + s * heads + at;
          // A self-loop among the slots gives way to the one that every node has.
          const auto e = a.columns[s] == v ? hn::Zero(d)
                                           : exp_or_nan(d, hn::Sub(hn::LoadU(d, place), largest));
          hn::StoreU(e, d, place);
          sum = hn::Add(sum, e);
        }
        const auto inverse = hn::Div(hn::Set(d, T{1}), sum);
        const auto store = [&](EdgeId place, auto e) HWY_ATTR {
          const auto share = hn::Mul(e, inverse);
          hn::StoreU(share, d, alpha + place);
          if (keep != nullptr) {
            hn::StoreU(hn::Mul(share, hn::LoadU(d, keep + place)), d, kept + place);
          }
        };
        for (EdgeId s = a.offsets[v]; s < a.offsets[v + 1]; ++s) {
          const EdgeId place = s * heads + at;
          store(place, hn::LoadU(d, alpha + place));
        }
        store((a.num_slots() + v) * heads + at, own_exp);
      }
    }
  });
}

/// y_v[h] = sum over the slots s of row v of kept_s x_u[h], plus the self-loop's, for kHeads heads
/// from h on: all of them in one walk over the slots. The slot's kept is found at position[s] (the
/// edge the other way round) or, when that is null, at s.
template <int kHeads, class D, int kVectors, class T>
HWY_NOINLINE void aggregate_heads(D d, Block<D, kVectors> block, const Attention<T>& args,
                                  const EdgeId* position, const T* kept, const T* x, T* y,
                                  std::int64_t first_head, std::int64_t begin, std::int64_t end) {
  const CsrView& a = args.a;
  const std::int64_t heads = args.heads;
  const std::int64_t width = heads * args.channels;
  const std::int64_t first_column = first_head * args.channels;
  const RowFetch<T> fetch(x, a.num_rows(), width);
  hn::Vec<D> sum[kHeads][kVectors];
  const auto add = [&](EdgeId place, std::int64_t u) HWY_ATTR {
    const EdgeId at = place * heads + first_head;
    const T* row = x + u * width + first_column;
    for (int h = 0; h < kHeads; ++h) {
      const auto factor = hn::Set(d, kept[at + h]);
      for (int i = 0; i < kVectors; ++i) {
        sum[h][i] = hn::MulAdd(factor, hn::LoadU(d, row + h * args.channels + block.place(d, i)),
                               sum[h][i]);
      }
    }
  };
  for (std::int64_t v = begin; v < end; ++v) {
    for (auto& head : sum) {
      for (auto& vector : head) vector = hn::Zero(d);
    }
    add(a.num_slots() + v, v);
    for (EdgeId s = a.offsets[v]; s < a.offsets[v + 1]; ++s) {
      if (fetch.useful()) {
        fetch(a.columns, s, first_column, first_column + kHeads * args.channels);
      }
      add(position != nullptr ? position[s] : s, a.columns[s]);
    }
    T* out = y + v * width + first_column;
    for (int h = 0; h < kHeads; ++h) {
      for (int i = 0; i < kVectors; ++i) {
        hn::StoreU(sum[h][i], d, out + h * args.channels + block.place(d, i));
      }
    }
  }
}

template <class T>
void aggregate_range(const Attention<T>& args, const EdgeId* position, const T* kept, const T* x,
                     T* y, std::int64_t begin, std::int64_t end) {
  for_blocks<T>(args.channels, [&](auto d, auto block) HWY_ATTR {
    constexpr int kVectors = decltype(block)::kCount;
    for (std::int64_t h = 0; h < args.heads;) {
      const std::int64_t left = args.heads - h;
      const auto aggregate_next = [&]<int kHeads>() HWY_ATTR {
        aggregate_heads<kHeads>(d, block, args, position, kept, x, y, h, begin, end);
        h += kHeads;
      };
      if (kVectors == 1 && left >= 8) {
        aggregate_next.template operator()<kVectors == 1 ? 8 : 1>();
      } else if (kVectors <= 2 && left >= 4) {
        aggregate_next.template operator()<kVectors <= 2 ? 4 : 1>();
      } else {
        aggregate_next.template operator()<1>();
      }
    }
  });
}

/// out[h] = x[h] . y[h] for each head's part of two rows.
template <class T>
struct HeadDots {
  std::int64_t heads;
  std::int64_t channels;

  HWY_INLINE void operator()(const T* x, const T* y, T* HWY_RESTRICT out) const {
    for (std::int64_t h = 0; h < heads; ++h) {
      out[h] = dot(hn::ScalableTag<T>(), x + h * channels, y + h * channels, channels);
    }
  }
};

#if HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE
/// The same for heads of a few channels, where one dot product at a time would be mostly adding up
/// lanes: neighbours are added in all heads at once until one number of each head is left.
template <int kHeads, int kChannels, class T>
struct NarrowHeadDots {
  template <int kWidth, class D>
  HWY_INLINE static void add_up(D d, hn::Vec<D>* p, T* HWY_RESTRICT out) {
    constexpr int kLanes = static_cast<int>(hn::MaxLanes(D()));
    constexpr int kVectors = kWidth > kLanes ? kWidth / kLanes : 1;
    if constexpr (kWidth > kHeads) {
      for (int i = 0; i < (kVectors + 1) / 2; ++i) {
        const auto low = p[2 * i];
        const auto high = p[kVectors > 1 ? 2 * i + 1 : 0];
        p[i] = hn::Add(hn::ConcatEven(d, high, low), hn::ConcatOdd(d, high, low));
      }
      add_up<kWidth / 2>(d, p, out);
    } else if constexpr (kHeads < kLanes) {
      const hn::Half<D> half;
      auto low = hn::LowerHalf(half, p[0]);
      add_up<kWidth>(half, &low, out);
    } else {
      for (int i = 0; i < kVectors; ++i) hn::StoreU(p[i], d, out + i * kLanes);
    }
  }

  HWY_INLINE void operator()(const T* x, const T* y, T* HWY_RESTRICT out) const {
    constexpr int kWidth = kHeads * kChannels;
    const hn::CappedTag<T, kWidth> d;
    constexpr int kLanes = static_cast<int>(hn::MaxLanes(d));
    hn::Vec<decltype(d)> p[kWidth / kLanes];
    for (int i = 0; i < kWidth / kLanes; ++i) {
      p[i] = hn::Mul(hn::LoadU(d, x + i * kLanes), hn::LoadU(d, y + i * kLanes));
    }
    add_up<kWidth>(d, p, out);
  }
};
#endif

/// Calls body with the fastest way to the dot products of these heads.
template <class T, class Body>
HWY_INLINE void with_head_dots(std::int64_t heads, std::int64_t channels, const Body& body) {
#if HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE
  if (heads == 8 && channels == 8) return body(NarrowHeadDots<8, 8, T>());
  if (heads == 8 && channels == 16) return body(NarrowHeadDots<8, 16, T>());
  if (heads == 4 && channels == 8) return body(NarrowHeadDots<4, 8, T>());
  if (heads == 4 && channels == 16) return body(NarrowHeadDots<4, 16, T>());
#endif
  body(HeadDots<T>{heads, channels});
}

/// The logits' gradients of the rows first .. last - 1 from `dots`, which has a row's own place and
/// then its slots, row after row.
template <class T>
void logit_gradient_of_dots(const Attention<T>& args, const T* alpha, const T* kept, const T* dots,
                            T* HWY_RESTRICT grad_logits, T* HWY_RESTRICT grad_target,
                            std::int64_t first, std::int64_t last) {
  const CsrView& a = args.a;
  const std::int64_t heads = args.heads;
  for_blocks<T, 1>(heads, [&](auto d, auto block) HWY_ATTR {
    const auto one = hn::Set(d, T{1});
    const auto slope = hn::Set(d, args.slope);
    for (int i = 0; i < decltype(block)::kCount; ++i) {
      const std::int64_t head = block.place(d, i);
      const T* of_row = dots + head;
      for (std::int64_t v = first; v < last; ++v) {
        // Walks all places into v: body(place, kept dots, source).
        const auto for_places = [&](const auto& body) HWY_ATTR {
          const T* of_place = of_row;
          const auto take = [&](EdgeId place, std::int64_t u) HWY_ATTR {
            const EdgeId at = place * heads + head;
            body(at, hn::Mul(hn::LoadU(d, kept + at), hn::LoadU(d, of_place)), u * heads + head);
            of_place += heads;
          };
          take(a.num_slots() + v, v);
          for (EdgeId s = a.offsets[v]; s < a.offsets[v + 1]; ++s) take(s, a.columns[s]);
        };
        auto sum = hn::Zero(d);
        for_places([&](EdgeId, auto grad, std::int64_t) HWY_ATTR { sum = hn::Add(sum, grad); });
        const auto target = hn::LoadU(d, args.target + v * heads + head);
        auto into = hn::Zero(d);
        for_places([&](EdgeId at, auto grad, std::int64_t source) HWY_ATTR {
          const auto z = hn::Add(hn::LoadU(d, args.source + source), target);
          const auto here = hn::IfThenElse(hn::Gt(z, hn::Zero(d)), one, slope);
          const auto result = hn::Mul(hn::NegMulAdd(hn::LoadU(d, alpha + at), sum, grad), here);
          hn::StoreU(result, d, grad_logits + at);
          into = hn::Add(into, result);
        });
        hn::StoreU(into, d, grad_target + v * heads + head);
        of_row += (a.offsets[v + 1] - a.offsets[v] + 1) * heads;
      }
    }
  });
}

/// A few rows at a time, so that the dot products stay in the cache next to the core until they are
/// used.
template <class T>
void logit_gradient_range(const Attention<T>& args, const T* alpha, const T* kept, const T* grad_y,
                          T* grad_logits, T* grad_target, std::int64_t begin, std::int64_t end) {
  constexpr std::int64_t kPlaces = 512;
  const CsrView& a = args.a;
  const std::int64_t heads = args.heads;
  const std::int64_t width = heads * args.channels;
  const RowFetch<T> fetch(args.x, a.num_rows(), width);
  std::vector<T> dots;
  with_head_dots<T>(heads, args.channels, [&](auto head_dots) HWY_ATTR {
    for (std::int64_t first = begin; first < end;) {
      const auto places = [&](std::int64_t last) {
        return a.offsets[last] - a.offsets[first] + last - first;
      };
      std::int64_t last = first + 1;
      while (last < end && places(last + 1) <= kPlaces) ++last;
      dots.resize(std::max(dots.size(), static_cast<std::size_t>(places(last) * heads)));
      T* out = dots.data();
      for (std::int64_t v = first; v < last; ++v) {
        const auto take = [&](std::int64_t u) HWY_ATTR {
          head_dots(grad_y + v * width, args.x + u * width, out);
          out += heads;
        };
        take(v);
        for (EdgeId s = a.offsets[v]; s < a.offsets[v + 1]; ++s) {
          if (fetch.useful()) fetch(a.columns, s, 0, width);
          take(a.columns[s]);
        }
      }
      logit_gradient_of_dots(args, alpha, kept, dots.data(), grad_logits, grad_target, first, last);
      first = last;
    }
  });
}

/// out_u = sum of by_place over the places out of u.
template <class T>
void sum_out_range(const Attention<T>& args, const EdgeId* reverse, const T* HWY_RESTRICT by_place,
                   T* HWY_RESTRICT out, std::int64_t begin, std::int64_t end) {
  const CsrView& a = args.a;
  const std::int64_t heads = args.heads;
  for_blocks<T, 1>(heads, [&](auto d, auto block) HWY_ATTR {
    for (int i = 0; i < decltype(block)::kCount; ++i) {
      const T* from = by_place + block.place(d, i);
      for (std::int64_t u = begin; u < end; ++u) {
        auto sum = hn::LoadU(d, from + (a.num_slots() + u) * heads);
        for (EdgeId s = a.offsets[u]; s < a.offsets[u + 1]; ++s) {
          sum = hn::Add(sum, hn::LoadU(d, from + reverse[s] * heads));
        }
        hn::StoreU(sum, d, out + u * heads + block.place(d, i));
      }
    }
  });
}

#define HGNET_FOR_TYPE(T, name)                                                                   \
  void alpha_##name(const Attention<T>& args, const T* keep, T* alpha, T* kept,                   \
                    std::int64_t begin, std::int64_t end) {                                       \
    alpha_range(args, keep, alpha, kept, begin, end);                                             \
  }                                                                                               \
  void aggregate_##name(const Attention<T>& args, const EdgeId* position, const T* kept,          \
                        const T* x, T* y, std::int64_t begin, std::int64_t end) {                 \
    aggregate_range(args, position, kept, x, y, begin, end);                                      \
  }                                                                                               \
  void logit_gradient_##name(const Attention<T>& args, const T* alpha, const T* kept,             \
                             const T* grad_y, T* grad_logits, T* grad_target, std::int64_t begin, \
                             std::int64_t end) {                                                  \
    logit_gradient_range(args, alpha, kept, grad_y, grad_logits, grad_target, begin, end);        \
  }                                                                                               \
  void sum_out_##name(const Attention<T>& args, const EdgeId* reverse, const T* by_place, T* out, \
                      std::int64_t begin, std::int64_t end) {                                     \
    sum_out_range(args, reverse, by_place, out, begin, end);                                      \
  }
HGNET_FOR_TYPE(float, f32)
HGNET_FOR_TYPE(double, f64)
#undef HGNET_FOR_TYPE

}  // namespace hgnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hgnet::kernels {

HWY_EXPORT(alpha_f32);
HWY_EXPORT(alpha_f64);
HWY_EXPORT(aggregate_f32);
HWY_EXPORT(aggregate_f64);
HWY_EXPORT(logit_gradient_f32);
HWY_EXPORT(logit_gradient_f64);
HWY_EXPORT(sum_out_f32);
HWY_EXPORT(sum_out_f64);

namespace {

template <class T>
void aggregate(const Attention<T>& args, const EdgeId* position, const T* kept, const T* x, T* y,
               std::int64_t begin, std::int64_t end) {
  HGNET_DISPATCH(T, aggregate, args, position, kept, x, y, begin, end);
}

}  // namespace

template <class T>
void attention(const Attention<T>& args, const T* keep, T* alpha, T* kept, T* y, int threads) {
  const std::int64_t work = args.heads * (args.channels + 16);
  for_row_ranges(args.a, work, threads, [&](std::int64_t begin, std::int64_t end) {
    HGNET_DISPATCH(T, alpha, args, keep, alpha, kept, begin, end);
    aggregate(args, static_cast<const EdgeId*>(nullptr), kept, args.x, y, begin, end);
  });
}

template <class T>
void attention_backward(const Attention<T>& args, const EdgeId* reverse, const T* alpha,
                        const T* kept, const T* grad_y, const AttentionGradients<T>& gradients,
                        int threads) {
  const std::int64_t work = args.heads * args.channels;
  for_row_ranges(args.a, work, threads, [&](std::int64_t begin, std::int64_t end) {
    HGNET_DISPATCH(T, logit_gradient, args, alpha, kept, grad_y, gradients.logits, gradients.target,
                   begin, end);
  });
  for_row_ranges(args.a, work, threads, [&](std::int64_t begin, std::int64_t end) {
    HGNET_DISPATCH(T, sum_out, args, reverse, gradients.logits, gradients.source, begin, end);
    aggregate(args, reverse, kept, grad_y, gradients.x, begin, end);
  });
}

#define HGNET_INSTANTIATE(T)                                                               \
  template void attention(const Attention<T>&, const T*, T*, T*, T*, int);                 \
  template void attention_backward(const Attention<T>&, const EdgeId*, const T*, const T*, \
                                   const T*, const AttentionGradients<T>&, int);
HGNET_INSTANTIATE(float)
HGNET_INSTANTIATE(double)
#undef HGNET_INSTANTIATE

}  // namespace hgnet::kernels
#endif
