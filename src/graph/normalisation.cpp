#include "hgnet/graph/normalisation.hpp"

#include <cmath>

namespace hgnet {
namespace {

bool has_self_loop(const CsrView& csr, std::int64_t v) {
  for (EdgeId s = csr.offsets[v]; s < csr.offsets[v + 1]; ++s) {
    if (csr.columns[s] == v) return true;
  }
  return false;
}

}  // namespace

template <class T>
void gcn_normalise(const CsrView& csr, const T* weights, T fill, T* scale, T* values, T* diagonal) {
  const std::int64_t num_nodes = csr.num_rows();
  for (std::int64_t v = 0; v < num_nodes; ++v) {
    const T added = has_self_loop(csr, v) ? T{0} : fill;
    T degree = added;
    for (EdgeId s = csr.offsets[v]; s < csr.offsets[v + 1]; ++s) degree += weights ? weights[s] : T{1};
    scale[v] = degree > T{0} ? T{1} / std::sqrt(degree) : T{0};
    diagonal[v] = added * scale[v] * scale[v];
  }
  for (std::int64_t v = 0; v < num_nodes; ++v) {
    for (EdgeId s = csr.offsets[v]; s < csr.offsets[v + 1]; ++s) {
      const T scaled = scale[csr.columns[s]] * scale[v];
      values[s] = weights ? scaled * weights[s] : scaled;
    }
  }
}

template <class T>
void gcn_normalise_backward(const CsrView& csr, const EdgeId* reverse, const T* weights, T fill,
                            const T* scale, const T* grad_values, const T* grad_diagonal,
                            T* grad_weights) {
  for (std::int64_t v = 0; v < csr.num_rows(); ++v) {
    const T added = has_self_loop(csr, v) ? T{0} : fill;
    T grad_scale = 2 * scale[v] * added * grad_diagonal[v];
    for (EdgeId s = csr.offsets[v]; s < csr.offsets[v + 1]; ++s) {
      const EdgeId r = reverse[s];
      grad_scale += (grad_values[s] * weights[s] + grad_values[r] * weights[r]) * scale[csr.columns[s]];
    }
    const T grad_degree = -grad_scale * scale[v] * scale[v] * scale[v] / 2;
    for (EdgeId s = csr.offsets[v]; s < csr.offsets[v + 1]; ++s) {
      grad_weights[s] = grad_values[s] * scale[csr.columns[s]] * scale[v] + grad_degree;
    }
  }
}

template void gcn_normalise(const CsrView&, const float*, float, float*, float*, float*);
template void gcn_normalise(const CsrView&, const double*, double, double*, double*, double*);
template void gcn_normalise_backward(const CsrView&, const EdgeId*, const float*, float, const float*,
                                     const float*, const float*, float*);
template void gcn_normalise_backward(const CsrView&, const EdgeId*, const double*, double,
                                     const double*, const double*, const double*, double*);

}  // namespace hgnet
