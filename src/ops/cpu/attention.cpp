#include <algorithm>

#include "graph/row_parallel.hpp"
#include "ops/cpu/dispatch.hpp"
#include "ops/cpu/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/cpu/attention.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "ops/cpu/lanes-inl.h"
#include "ops/cpu/softmax-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hgnet::cpu::HWY_NAMESPACE {

template <class D, class V = hn::Vec<D>>
HWY_INLINE V leaky_relu(D d, V z, V slope) {
  return hn::IfThenElse(hn::Gt(z, hn::Zero(d)), z, hn::Mul(slope, z));
}

/// alpha of all places into the rows begin .. end - 1, heads side by side in a vector.
template <class T>
void alpha_range(const Attention<T>& args, T* alpha, std::int64_t begin, std::int64_t end) {
  const CsrView& a = args.a;
  const std::int64_t heads = args.heads;
  T* alpha_self = alpha + a.num_slots() * heads;
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
        for (EdgeId s = a.offsets[v]; s < a.offsets[v + 1]; ++s) {
          T* place = alpha + s * heads + at;
          hn::StoreU(hn::Mul(hn::LoadU(d, place), inverse), d, place);
        }
        hn::StoreU(hn::Mul(own_exp, inverse), d, alpha_self + v * heads + at);
      }
    }
  });
}

/// y_v[h] = sum over the slots s of row v of factor_s x_u[h], plus the self-loop's, for kHeads
/// heads from h on: all of them in one walk over the slots. The slot's factor is found at
/// position[s] (the edge the other way round) or, when that is null, at s.
template <int kHeads, class D, int kVectors, class T>
HWY_NOINLINE void aggregate_heads(D d, Block<D, kVectors> block, const Attention<T>& args,
                                  const EdgeId* position, const T* alpha, const T* x, T* y,
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
      const auto factor =
          hn::Set(d, args.keep != nullptr ? alpha[at + h] * args.keep[at + h] : alpha[at + h]);
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
void aggregate_range(const Attention<T>& args, const EdgeId* position, const T* alpha, const T* x,
                     T* y, std::int64_t begin, std::int64_t end) {
  for_blocks<T>(args.channels, [&](auto d, auto block) HWY_ATTR {
    constexpr int kVectors = decltype(block)::kCount;
    for (std::int64_t h = 0; h < args.heads;) {
      const std::int64_t left = args.heads - h;
      const auto aggregate_next = [&]<int kHeads>() HWY_ATTR {
        aggregate_heads<kHeads>(d, block, args, position, alpha, x, y, h, begin, end);
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

/// out[h] = x[h] . y[h] for each head's part of two rows. Heads are narrow, a few channels each, so
/// one dot product at a time would be mostly adding up lanes; for floats in heads of 4, 8, ... the
/// lanes of several heads are added up together, four to a sum.
template <class T>
HWY_INLINE void head_dots(const T* x, const T* y, std::int64_t heads, std::int64_t channels,
                          T* HWY_RESTRICT out) {
  const hn::ScalableTag<T> d;
#if HWY_TARGET != HWY_SCALAR
  if constexpr (sizeof(T) == 4) {
    if (channels > 0 && channels % 4 == 0 && channels <= 16) {
      const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
      const std::int64_t width = heads * channels;
      const std::int64_t fours = channels / 4;
      HWY_ALIGN T sums[hn::MaxLanes(d)];
      std::int64_t four = 0;  // within the head
      T* head = out;
      T total = 0;
      const auto take = [&](auto tag, std::int64_t column) HWY_ATTR {
        auto p = hn::Mul(hn::LoadU(tag, x + column), hn::LoadU(tag, y + column));
        p = hn::Add(p, hn::Shuffle2301(p));
        p = hn::Add(p, hn::Shuffle1032(p));
        hn::Store(p, tag, sums);
        for (std::size_t i = 0; i < hn::Lanes(tag); i += 4) {
          total += sums[i];
          if (++four == fours) {
            *head++ = total;
            total = 0;
            four = 0;
          }
        }
      };
      std::int64_t column = 0;
      for (; column + lanes <= width; column += lanes) take(d, column);
      for (; column < width; column += 4) take(hn::CappedTag<T, 4>(), column);
      return;
    }
  }
#endif
  for (std::int64_t h = 0; h < heads; ++h) {
    out[h] = dot(d, x + h * channels, y + h * channels, channels);
  }
}

/// Slot by slot with all heads side by side, so that a gathered row is read once. The walks over a
/// row's slots are kept apart: what one of them stores number by number the next one loads by the
/// vector, and the processor can hand over only what has left its store buffer. `means` has a place for each head of each
/// node.
template <class T>
void logit_gradient_range(const Attention<T>& args, const T* HWY_RESTRICT alpha,
                          const T* HWY_RESTRICT grad_y, T* HWY_RESTRICT grad_logits,
                          T* HWY_RESTRICT grad_target, T* HWY_RESTRICT means, std::int64_t begin,
                          std::int64_t end) {
  const CsrView& a = args.a;
  const std::int64_t heads = args.heads;
  const std::int64_t width = heads * args.channels;
  const RowFetch<T> fetch(args.x, a.num_rows(), width);

  for (std::int64_t v = begin; v < end; ++v) {
    // Walks all places into v: body(place, source).
    const auto for_places = [&](const auto& body) HWY_ATTR {
      body((a.num_slots() + v) * heads, v);
      for (EdgeId s = a.offsets[v]; s < a.offsets[v + 1]; ++s) body(s * heads, a.columns[s]);
    };
    if (fetch.useful()) {
      for (EdgeId s = a.offsets[v]; s < a.offsets[v + 1]; ++s) fetch(a.columns, s, 0, width);
    }
    for_places([&](EdgeId at, std::int64_t u) HWY_ATTR {
      head_dots(grad_y + v * width, args.x + u * width, heads, args.channels, grad_logits + at);
    });
    T* HWY_RESTRICT mean = means + v * heads;
    std::fill_n(mean, heads, T{0});
    for_places([&](EdgeId at, std::int64_t) HWY_ATTR {
      if (args.keep != nullptr) {
        for (std::int64_t h = 0; h < heads; ++h) grad_logits[at + h] *= args.keep[at + h];
      }
      for (std::int64_t h = 0; h < heads; ++h) mean[h] += alpha[at + h] * grad_logits[at + h];
    });
    T* HWY_RESTRICT into = grad_target + v * heads;
    const T* HWY_RESTRICT target = args.target + v * heads;
    std::fill_n(into, heads, T{0});
    for_places([&](EdgeId at, std::int64_t u) HWY_ATTR {
      const T* HWY_RESTRICT source = args.source + u * heads;
      for (std::int64_t h = 0; h < heads; ++h) {
        const T slope = source[h] + target[h] > T{0} ? T{1} : args.slope;
        const T grad = alpha[at + h] * (grad_logits[at + h] - mean[h]) * slope;
        grad_logits[at + h] = grad;
        into[h] += grad;
      }
    });
  }
}

/// out_u = sum of by_place over the places out of u.
template <class T>
void sum_out_range(const Attention<T>& args, const EdgeId* reverse, const T* HWY_RESTRICT by_place,
                   T* HWY_RESTRICT out, std::int64_t begin, std::int64_t end) {
  const CsrView& a = args.a;
  const std::int64_t heads = args.heads;
  for (std::int64_t u = begin; u < end; ++u) {
    for (std::int64_t h = 0; h < heads; ++h) {
      out[u * heads + h] = by_place[(a.num_slots() + u) * heads + h];
    }
    for (EdgeId s = a.offsets[u]; s < a.offsets[u + 1]; ++s) {
      const T* row = by_place + reverse[s] * heads;
      for (std::int64_t h = 0; h < heads; ++h) out[u * heads + h] += row[h];
    }
  }
}

#define HGNET_FOR_TYPE(T, name)                                                                   \
  void alpha_##name(const Attention<T>& args, T* alpha, std::int64_t begin, std::int64_t end) {   \
    alpha_range(args, alpha, begin, end);                                                         \
  }                                                                                               \
  void aggregate_##name(const Attention<T>& args, const EdgeId* position, const T* alpha,         \
                        const T* x, T* y, std::int64_t begin, std::int64_t end) {                 \
    aggregate_range(args, position, alpha, x, y, begin, end);                                     \
  }                                                                                               \
  void logit_gradient_##name(const Attention<T>& args, const T* alpha, const T* grad_y,           \
                             T* grad_logits, T* grad_target, T* means, std::int64_t begin,        \
                             std::int64_t end) {                                                  \
    logit_gradient_range(args, alpha, grad_y, grad_logits, grad_target, means, begin, end);       \
  }                                                                                               \
  void sum_out_##name(const Attention<T>& args, const EdgeId* reverse, const T* by_place, T* out, \
                      std::int64_t begin, std::int64_t end) {                                     \
    sum_out_range(args, reverse, by_place, out, begin, end);                                      \
  }
HGNET_FOR_TYPE(float, f32)
HGNET_FOR_TYPE(double, f64)
#undef HGNET_FOR_TYPE

}  // namespace hgnet::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hgnet::cpu {

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
void aggregate(const Attention<T>& args, const EdgeId* position, const T* alpha, const T* x, T* y,
               std::int64_t begin, std::int64_t end) {
  HGNET_DISPATCH(T, aggregate, args, position, alpha, x, y, begin, end);
}

}  // namespace

template <class T>
void attention(const Attention<T>& args, T* alpha, T* y, int threads) {
  const std::int64_t work = args.heads * (args.channels + 16);
  for_row_ranges(args.a, work, threads, [&](std::int64_t begin, std::int64_t end) {
    HGNET_DISPATCH(T, alpha, args, alpha, begin, end);
    aggregate(args, static_cast<const EdgeId*>(nullptr), alpha, args.x, y, begin, end);
  });
}

template <class T>
void attention_backward(const Attention<T>& args, const EdgeId* reverse, const T* alpha,
                        const T* grad_y, const AttentionGradients<T>& gradients, int threads) {
  const std::int64_t work = args.heads * args.channels;
  // The gradients of the sources come second; until then their place holds the means.
  for_row_ranges(args.a, work, threads, [&](std::int64_t begin, std::int64_t end) {
    HGNET_DISPATCH(T, logit_gradient, args, alpha, grad_y, gradients.logits, gradients.target,
                   gradients.source, begin, end);
  });
  for_row_ranges(args.a, work, threads, [&](std::int64_t begin, std::int64_t end) {
    HGNET_DISPATCH(T, sum_out, args, reverse, gradients.logits, gradients.source, begin, end);
    aggregate(args, reverse, alpha, grad_y, gradients.x, begin, end);
  });
}

template void attention(const Attention<float>&, float*, float*, int);
template void attention(const Attention<double>&, double*, double*, int);
template void attention_backward(const Attention<float>&, const EdgeId*, const float*, const float*,
                                 const AttentionGradients<float>&, int);
template void attention_backward(const Attention<double>&, const EdgeId*, const double*,
                                 const double*, const AttentionGradients<double>&, int);

}  // namespace hgnet::cpu
#endif
