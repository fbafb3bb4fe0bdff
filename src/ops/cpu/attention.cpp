#include "ops/cpu/kernels.hpp"
#include "ops/cpu/row_parallel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/cpu/attention.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include "ops/cpu/lanes-inl.h"

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
        const auto own_exp = hn::Exp(d, hn::Sub(own, largest));
        auto sum = own_exp;
        for (EdgeId s = a.offsets[v]; s < a.offsets[v + 1]; ++s) {
          T* place = alpha + s * heads + at;
          // A self-loop among the slots gives way to the one that every node has.
          const auto e = a.columns[s] == v
                             ? hn::Zero(d)
                             : hn::Exp(d, hn::Sub(hn::LoadU(d, place), largest));
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

/// y_v[h] = sum over the slots s of row v of factor_s x_u[h], plus the self-loop's. The slot's factor is
/// found at position[s] (the edge the other way round) or, when that is null, at s.
template <class T>
void aggregate_range(const Attention<T>& args, const EdgeId* position, const T* alpha, const T* x,
                     T* y, std::int64_t begin, std::int64_t end) {
  const CsrView& a = args.a;
  const std::int64_t heads = args.heads;
  const std::int64_t width = heads * args.channels;
  const auto factor = [&](EdgeId place, std::int64_t h) HWY_ATTR {
    const EdgeId i = place * heads + h;
    return args.keep != nullptr ? alpha[i] * args.keep[i] : alpha[i];
  };
  for_blocks<T>(args.channels, [&](auto d, auto block) HWY_ATTR {
    constexpr int kVectors = decltype(block)::kCount;
    for (std::int64_t v = begin; v < end; ++v) {
      for (std::int64_t h = 0; h < heads; ++h) {
        const std::int64_t column = h * args.channels;
        hn::Vec<decltype(d)> sum[kVectors];
        const auto own = hn::Set(d, factor(a.num_slots() + v, h));
        for (int i = 0; i < kVectors; ++i) {
          sum[i] = hn::Mul(own, hn::LoadU(d, x + v * width + column + block.place(d, i)));
        }
        for (EdgeId s = a.offsets[v]; s < a.offsets[v + 1]; ++s) {
          const auto f = hn::Set(d, factor(position != nullptr ? position[s] : s, h));
          const T* row = x + a.columns[s] * width + column;
          for (int i = 0; i < kVectors; ++i) {
            sum[i] = hn::MulAdd(f, hn::LoadU(d, row + block.place(d, i)), sum[i]);
          }
        }
        T* out = y + v * width + column;
        for (int i = 0; i < kVectors; ++i) hn::StoreU(sum[i], d, out + block.place(d, i));
      }
    }
  });
}

template <class T>
void logit_gradient_range(const Attention<T>& args, const T* alpha, const T* grad_y, T* grad_logits,
                          T* grad_target, std::int64_t begin, std::int64_t end) {
  const CsrView& a = args.a;
  const std::int64_t heads = args.heads;
  const std::int64_t width = heads * args.channels;
  const hn::ScalableTag<T> d;
  for (std::int64_t v = begin; v < end; ++v) {
    for (std::int64_t h = 0; h < heads; ++h) {
      const std::int64_t column = h * args.channels;
      const T* grad = grad_y + v * width + column;
      const EdgeId own = (a.num_slots() + v) * heads + h;
      const auto grad_alpha = [&](EdgeId i, std::int64_t u) HWY_ATTR {
        const T product = dot(d, grad, args.x + u * width + column, args.channels);
        return args.keep != nullptr ? product * args.keep[i] : product;
      };
      const auto grad_logit = [&](EdgeId i, std::int64_t u, T mean) HWY_ATTR {
        const T z = args.source[u * heads + h] + args.target[v * heads + h];
        return alpha[i] * (grad_logits[i] - mean) * (z > T{0} ? T{1} : args.slope);
      };
      grad_logits[own] = grad_alpha(own, v);
      T mean = alpha[own] * grad_logits[own];
      for (EdgeId s = a.offsets[v]; s < a.offsets[v + 1]; ++s) {
        const EdgeId i = s * heads + h;
        grad_logits[i] = grad_alpha(i, a.columns[s]);
        mean += alpha[i] * grad_logits[i];
      }
      grad_logits[own] = grad_logit(own, v, mean);
      T into = grad_logits[own];
      for (EdgeId s = a.offsets[v]; s < a.offsets[v + 1]; ++s) {
        const EdgeId i = s * heads + h;
        grad_logits[i] = grad_logit(i, a.columns[s], mean);
        into += grad_logits[i];
      }
      grad_target[v * heads + h] = into;
    }
  }
}

#define HGNET_FOR_TYPE(T, name)                                                                       \
  void alpha_##name(const Attention<T>& args, T* alpha, std::int64_t begin, std::int64_t end) {      \
    alpha_range(args, alpha, begin, end);                                                            \
  }                                                                                                  \
  void aggregate_##name(const Attention<T>& args, const EdgeId* position, const T* alpha,            \
                        const T* x, T* y, std::int64_t begin, std::int64_t end) {                    \
    aggregate_range(args, position, alpha, x, y, begin, end);                                        \
  }                                                                                                  \
  void logit_gradient_##name(const Attention<T>& args, const T* alpha, const T* grad_y,              \
                             T* grad_logits, T* grad_target, std::int64_t begin, std::int64_t end) { \
    logit_gradient_range(args, alpha, grad_y, grad_logits, grad_target, begin, end);                 \
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

namespace {

template <class T>
void aggregate(const Attention<T>& args, const EdgeId* position, const T* alpha, const T* x, T* y,
               std::int64_t begin, std::int64_t end) {
  if constexpr (sizeof(T) == sizeof(float)) {
    HWY_DYNAMIC_DISPATCH(aggregate_f32)(args, position, alpha, x, y, begin, end);
  } else {
    HWY_DYNAMIC_DISPATCH(aggregate_f64)(args, position, alpha, x, y, begin, end);
  }
}

template <class T>
void sum_out_of_nodes(const Attention<T>& args, const EdgeId* reverse, const T* by_place, T* out,
                      std::int64_t begin, std::int64_t end) {
  const CsrView& a = args.a;
  for (std::int64_t u = begin; u < end; ++u) {
    for (std::int64_t h = 0; h < args.heads; ++h) {
      T sum = by_place[(a.num_slots() + u) * args.heads + h];
      for (EdgeId s = a.offsets[u]; s < a.offsets[u + 1]; ++s) {
        sum += by_place[reverse[s] * args.heads + h];
      }
      out[u * args.heads + h] = sum;
    }
  }
}

}  // namespace

template <class T>
void attention(const Attention<T>& args, T* alpha, T* y, int threads) {
  const std::int64_t work = args.heads * (args.channels + 16);
  for_row_ranges(args.a, work, threads, [&](std::int64_t begin, std::int64_t end) {
    if constexpr (sizeof(T) == sizeof(float)) {
      HWY_DYNAMIC_DISPATCH(alpha_f32)(args, alpha, begin, end);
    } else {
      HWY_DYNAMIC_DISPATCH(alpha_f64)(args, alpha, begin, end);
    }
    aggregate(args, static_cast<const EdgeId*>(nullptr), alpha, args.x, y, begin, end);
  });
}

template <class T>
void attention_backward(const Attention<T>& args, const EdgeId* reverse, const T* alpha,
                        const T* grad_y, const AttentionGradients<T>& gradients, int threads) {
  const std::int64_t work = args.heads * args.channels;
  for_row_ranges(args.a, work, threads, [&](std::int64_t begin, std::int64_t end) {
    if constexpr (sizeof(T) == sizeof(float)) {
      HWY_DYNAMIC_DISPATCH(logit_gradient_f32)
      (args, alpha, grad_y, gradients.logits, gradients.target, begin, end);
    } else {
      HWY_DYNAMIC_DISPATCH(logit_gradient_f64)
      (args, alpha, grad_y, gradients.logits, gradients.target, begin, end);
    }
  });
  for_row_ranges(args.a, work, threads, [&](std::int64_t begin, std::int64_t end) {
    sum_out_of_nodes(args, reverse, gradients.logits, gradients.source, begin, end);
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
