#include "graph/row_parallel.hpp"
#include "kernels/dispatch.hpp"
#include "kernels/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/softmax.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "kernels/softmax-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hgnet::kernels::HWY_NAMESPACE {

template <class T>
void softmax_range(const CsrView& a, const T* logits, T* out, std::int64_t heads,
                   std::int64_t begin, std::int64_t end) {
  if (heads == 1) {
    softmax_of_rows(
        a, [&](EdgeId s, std::int64_t) HWY_ATTR { return logits[s]; }, out, begin, end);
    return;
  }
  for_blocks<T>(heads, [&](auto d, auto block) HWY_ATTR {
    constexpr int kVectors = decltype(block)::kCount;
    for (std::int64_t v = begin; v < end; ++v) {
      for (int i = 0; i < kVectors; ++i) {
        const std::int64_t at = block.place(d, i);
        auto largest = hn::Set(d, hwy::LowestValue<T>());
        for (EdgeId s = a.offsets[v]; s < a.offsets[v + 1]; ++s) {
          largest = hn::Max(largest, hn::LoadU(d, logits + s * heads + at));
        }
        auto sum = hn::Zero(d);
        for (EdgeId s = a.offsets[v]; s < a.offsets[v + 1]; ++s) {
          const auto e = exp_or_nan(d, hn::Sub(hn::LoadU(d, logits + s * heads + at), largest));
          hn::StoreU(e, d, out + s * heads + at);
          sum = hn::Add(sum, e);
        }
        const auto inverse = hn::Div(hn::Set(d, T{1}), sum);
        for (EdgeId s = a.offsets[v]; s < a.offsets[v + 1]; ++s) {
          T* e = out + s * heads + at;
          hn::StoreU(hn::Mul(hn::LoadU(d, e), inverse), d, e);
        }
      }
    }
  });
}

void softmax_f32(const CsrView& a, const float* logits, float* out, std::int64_t heads,
                 std::int64_t begin, std::int64_t end) {
  softmax_range(a, logits, out, heads, begin, end);
}
void softmax_f64(const CsrView& a, const double* logits, double* out, std::int64_t heads,
                 std::int64_t begin, std::int64_t end) {
  softmax_range(a, logits, out, heads, begin, end);
}

template <class T>
void edge_softmax_range(const CsrView& a, const T* node_scores, T bias, T* out, std::int64_t begin,
                        std::int64_t end) {
  softmax_of_rows(
      a,
      [&](EdgeId s, std::int64_t v) HWY_ATTR {
        return node_scores[2 * std::int64_t{a.columns[s]}] + node_scores[2 * v + 1] + bias;
      },
      out, begin, end);
}

void edge_softmax_f32(const CsrView& a, const float* node_scores, float bias, float* out,
                      std::int64_t begin, std::int64_t end) {
  edge_softmax_range(a, node_scores, bias, out, begin, end);
}
void edge_softmax_f64(const CsrView& a, const double* node_scores, double bias, double* out,
                      std::int64_t begin, std::int64_t end) {
  edge_softmax_range(a, node_scores, bias, out, begin, end);
}

void exponentials_f32(std::span<float> x) {
  exp_in_place(x.data(), static_cast<std::int64_t>(x.size()));
}

}  // namespace hgnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hgnet::kernels {

HWY_EXPORT(exponentials_f32);
HWY_EXPORT(softmax_f32);
HWY_EXPORT(softmax_f64);
HWY_EXPORT(edge_softmax_f32);
HWY_EXPORT(edge_softmax_f64);

void exponentials(std::span<float> x) { HWY_DYNAMIC_DISPATCH(exponentials_f32)(x); }

/// Scalar operations that an exponential is worth, for deciding on threads.
constexpr std::int64_t kExpWork = 16;

template <class T>
void segment_softmax(const CsrView& a, const T* logits, T* out, std::int64_t heads, int threads) {
  for_row_ranges(a, heads * kExpWork, threads, [&](std::int64_t begin, std::int64_t end) {
    HGNET_DISPATCH(T, softmax, a, logits, out, heads, begin, end);
  });
}

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

template <class T>
void edge_softmax(const CsrView& a, const T* node_scores, T bias, T* out, int threads) {
  for_row_ranges(a, kExpWork, threads, [&](std::int64_t begin, std::int64_t end) {
    HGNET_DISPATCH(T, edge_softmax, a, node_scores, bias, out, begin, end);
  });
}

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

template void segment_softmax(const CsrView&, const float*, float*, std::int64_t, int);
template void segment_softmax(const CsrView&, const double*, double*, std::int64_t, int);
template void segment_softmax_backward(const CsrView&, const float*, const float*, float*,
                                       std::int64_t, int);
template void segment_softmax_backward(const CsrView&, const double*, const double*, double*,
                                       std::int64_t, int);
template void edge_softmax(const CsrView&, const float*, float, float*, int);
template void edge_softmax(const CsrView&, const double*, double, double*, int);
template void edge_softmax_backward(const CsrView&, const EdgeId*, const float*, const float*,
                                    float*, float*, int);
template void edge_softmax_backward(const CsrView&, const EdgeId*, const double*, const double*,
                                    double*, double*, int);

}  // namespace hgnet::kernels
#endif
