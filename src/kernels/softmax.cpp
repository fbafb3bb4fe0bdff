// Softmax over the slots of a row, for one number per slot and for several heads side by side, and
// its gradient.

#include "kernels/softmax.hpp"

#include <algorithm>

#include "graph/row_parallel.hpp"
#include "kernels/export.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/softmax.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include "kernels/exp-inl.h"
#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hgnet::kernels::HWY_NAMESPACE {

void exp_of_all(std::span<float> x) { exp_in_place(x.data(), static_cast<std::int64_t>(x.size())); }

/// out_s = softmax over the slots s of row v of logit(s, v). Rows have a handful of slots, usually
/// far fewer than a vector has lanes. So the exponentials, which cost most, are computed over the
/// slots of many rows at once, and only maximum and sum row by row.
template <class T, class Logit>
HWY_INLINE void softmax_of_rows(const CsrView& a, const Logit& logit, T* HWY_RESTRICT out,
                                std::int64_t begin, std::int64_t end) {
  constexpr std::int64_t kRowsAtOnce = 256;
  const EdgeId* HWY_RESTRICT offsets = a.offsets.data();
  for (std::int64_t from = begin; from < end; from += kRowsAtOnce) {
    const std::int64_t to = std::min(end, from + kRowsAtOnce);
    for (std::int64_t v = from; v < to; ++v) {
      T largest = hwy::LowestValue<T>();
      for (EdgeId s = offsets[v]; s < offsets[v + 1]; ++s) {
        out[s] = logit(s, v);
        largest = out[s] > largest ? out[s] : largest;
      }
      for (EdgeId s = offsets[v]; s < offsets[v + 1]; ++s) out[s] -= largest;
    }
    exp_in_place(out + offsets[from], offsets[to] - offsets[from]);
    for (std::int64_t v = from; v < to; ++v) {
      T sum = 0;
      for (EdgeId s = offsets[v]; s < offsets[v + 1]; ++s) sum += out[s];
      const T inverse = T{1} / sum;
      for (EdgeId s = offsets[v]; s < offsets[v + 1]; ++s) out[s] *= inverse;
    }
  }
}

template <class T>
void head_softmax_rows(const CsrView& a, const T* logits, T* out, std::int64_t heads,
                       std::int64_t begin, std::int64_t end) {
  with_vectors<T>(heads, [&](auto d) HWY_ATTR {
    for (std::int64_t v = begin; v < end; ++v) {
      for_vectors(d, heads, [&](std::int64_t head) HWY_ATTR {
        auto largest = hn::Set(d, hwy::LowestValue<T>());
        for (EdgeId s = a.offsets[v]; s < a.offsets[v + 1]; ++s) {
          largest = hn::Max(largest, hn::LoadU(d, logits + s * heads + head));
        }
        auto sum = hn::Zero(d);
        for (EdgeId s = a.offsets[v]; s < a.offsets[v + 1]; ++s) {
          const auto e = exp_or_nan(d, hn::Sub(hn::LoadU(d, logits + s * heads + head), largest));
          hn::StoreU(e, d, out + s * heads + head);
          sum = hn::Add(sum, e);
        }
        const auto inverse = hn::Div(hn::Set(d, T{1}), sum);
        for (EdgeId s = a.offsets[v]; s < a.offsets[v + 1]; ++s) {
          T* e = out + s * heads + head;
          hn::StoreU(hn::Mul(hn::LoadU(d, e), inverse), d, e);
        }
      });
    }
  });
}

template <class T>
void softmax_rows(const CsrView& a, const T* logits, T* out, std::int64_t heads, std::int64_t begin,
                  std::int64_t end) {
  if (heads > 1) return head_softmax_rows(a, logits, out, heads, begin, end);
  softmax_of_rows(
      a, [&](EdgeId s, std::int64_t) HWY_ATTR { return logits[s]; }, out, begin, end);
}

template <class T>
void edge_softmax_rows(const CsrView& a, const T* node_scores, T bias, T* out, std::int64_t begin,
                       std::int64_t end) {
  softmax_of_rows(
      a,
      [&](EdgeId s, std::int64_t v) HWY_ATTR {
        return node_scores[2 * std::int64_t{a.columns[s]}] + node_scores[2 * v + 1] + bias;
      },
      out, begin, end);
}

}  // namespace hgnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hgnet::kernels {

void exponentials(std::span<float> x) { HGNET_BEST(exp_of_all)(x); }

/// Scalar operations that an exponential counts as when deciding on threads.
constexpr std::int64_t kExpWork = 16;

template <class T>
void segment_softmax(const CsrView& a, const T* logits, T* out, std::int64_t heads, int threads) {
  for_row_ranges(a, heads * kExpWork, threads, [&](std::int64_t begin, std::int64_t end) {
    HGNET_BEST(softmax_rows<T>)(a, logits, out, heads, begin, end);
  });
}
HGNET_EXPORT(segment_softmax);

template <class T>
void segment_softmax_backward(const CsrView& a, const T* softmax, const T* grad, T* grad_logits,
                              std::int64_t heads, int threads) {
  for_row_ranges(a, 4 * heads, threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v) {
      const EdgeId row_begin = a.offsets[v] * heads;
      const EdgeId row_end = a.offsets[v + 1] * heads;
      for (std::int64_t h = 0; h < heads; ++h) {
        T mean = 0;
        for (EdgeId i = row_begin + h; i < row_end; i += heads) mean += softmax[i] * grad[i];
        for (EdgeId i = row_begin + h; i < row_end; i += heads) {
          grad_logits[i] = softmax[i] * (grad[i] - mean);
        }
      }
    }
  });
}
HGNET_EXPORT(segment_softmax_backward);

template <class T>
void edge_softmax(const CsrView& a, const T* node_scores, T bias, T* out, int threads) {
  for_row_ranges(a, kExpWork, threads, [&](std::int64_t begin, std::int64_t end) {
    HGNET_BEST(edge_softmax_rows<T>)(a, node_scores, bias, out, begin, end);
  });
}
HGNET_EXPORT(edge_softmax);

template <class T>
void edge_softmax_backward(const CsrView& a, const EdgeId* reverse, const T* p, const T* grad,
                           T* scratch, T* grad_node_scores, int threads) {
  for_row_ranges(a, 4, threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v) {
      T mean = 0;
      for (EdgeId s = a.offsets[v]; s < a.offsets[v + 1]; ++s) mean += p[s] * grad[s];
      T into = 0;
      for (EdgeId s = a.offsets[v]; s < a.offsets[v + 1]; ++s) {
        scratch[s] = p[s] * (grad[s] - mean);
        into += scratch[s];
      }
      grad_node_scores[2 * v + 1] = into;
    }
  });
  for_row_ranges(a, 4, threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t u = begin; u < end; ++u) {
      T out_of = 0;
      for (EdgeId s = a.offsets[u]; s < a.offsets[u + 1]; ++s) out_of += scratch[reverse[s]];
      grad_node_scores[2 * u] = out_of;
    }
  });
}
HGNET_EXPORT(edge_softmax_backward);

}  // namespace hgnet::kernels
#endif
