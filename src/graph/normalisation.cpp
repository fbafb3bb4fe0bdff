#include "hgnet/graph/normalisation.hpp"

#include <cmath>
#include <string>

#include "graph/row_parallel.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/core/text.hpp"

namespace hgnet {
namespace {

constexpr std::int64_t kWorkPerSlot = 4;

}  // namespace

template <class T>
void gcn_normalise(const CsrView& csr, const T* weights, std::span<const float> outside,
                   SelfLoopFill fill, T* scale, T* values, T* diagonal, int threads) {
  const bool without_loops = fill == SelfLoopFill::kNone;
  for_row_ranges(csr, kWorkPerSlot, threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v) {
      T degree = 0;
      T added = static_cast<T>(fill_weight(fill));
      for (EdgeId s = csr.offsets[v]; s < csr.offsets[v + 1]; ++s) {
        if (without_loops && csr.columns[s] == v) continue;
        degree += weights != nullptr ? weights[s] : T{1};
        if (csr.columns[s] == v) added = 0;
      }
      degree += added;
      if (!outside.empty()) degree += outside[v];
      scale[v] = degree > T{0} ? T{1} / std::sqrt(degree) : T{0};
      diagonal[v] = added * scale[v] * scale[v];
    }
  });
  for_row_ranges(csr, kWorkPerSlot, threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v) {
      for (EdgeId s = csr.offsets[v]; s < csr.offsets[v + 1]; ++s) {
        const T scaled = scale[csr.columns[s]] * scale[v];
        values[s] = weights != nullptr ? scaled * weights[s] : scaled;
        if (without_loops && csr.columns[s] == v) values[s] = 0;
      }
    }
  });
}

void check_degrees(const CsrView& csr, std::span<const float> weights,
                   std::span<const float> outside, SelfLoopFill fill) {
  for (std::int64_t v = 0; v < csr.num_rows(); ++v) {
    double degree = 0;
    double added = fill_weight(fill);
    bool weighted = false;
    for (EdgeId s = csr.offsets[v]; s < csr.offsets[v + 1]; ++s) {
      const bool loop = csr.columns[s] == v;
      if (loop && fill == SelfLoopFill::kNone) continue;
      degree += weights[s];
      weighted = weighted || weights[s] != 0;
      if (loop) added = 0;
    }
    degree += added;
    if (!outside.empty()) degree += outside[v];
    if (!weighted || degree > 0) continue;
    throw InvalidGraph("graph: the weights of node " + std::to_string(v) + " give it the degree " +
                       short_number(degree) +
                       "; expected a positive one, since rows are divided by its root");
  }
}

template <class T>
void gcn_normalise_backward(const CsrView& csr, const EdgeId* reverse, const T* weights, T fill,
                            const T* scale, const T* grad_values, const T* grad_diagonal,
                            T* scratch, T* grad_weights, int threads) {
  for_row_ranges(csr, 1, threads, [&](std::int64_t begin, std::int64_t end) {
    for (EdgeId s = csr.offsets[begin]; s < csr.offsets[end]; ++s)
      scratch[s] = grad_values[s] * weights[s];
  });
  for_row_ranges(csr, kWorkPerSlot, threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v) {
      T added = fill;
      T grad_scale = 0;
      for (EdgeId s = csr.offsets[v]; s < csr.offsets[v + 1]; ++s) {
        grad_scale += (scratch[s] + scratch[reverse[s]]) * scale[csr.columns[s]];
        if (csr.columns[s] == v) added = 0;
      }
      grad_scale += 2 * scale[v] * added * grad_diagonal[v];
      const T grad_degree = -grad_scale * scale[v] * scale[v] * scale[v] / 2;
      for (EdgeId s = csr.offsets[v]; s < csr.offsets[v + 1]; ++s) {
        grad_weights[s] = grad_values[s] * scale[csr.columns[s]] * scale[v] + grad_degree;
      }
    }
  });
}

template void gcn_normalise(const CsrView&, const float*, std::span<const float>, SelfLoopFill,
                            float*, float*, float*, int);
template void gcn_normalise(const CsrView&, const double*, std::span<const float>, SelfLoopFill,
                            double*, double*, double*, int);
template void gcn_normalise_backward(const CsrView&, const EdgeId*, const float*, float,
                                     const float*, const float*, const float*, float*, float*, int);
template void gcn_normalise_backward(const CsrView&, const EdgeId*, const double*, double,
                                     const double*, const double*, const double*, double*, double*,
                                     int);

}  // namespace hgnet
