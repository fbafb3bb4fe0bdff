#pragma once

#include <span>
#include <vector>

#include "hgnet/graph/csr.hpp"

namespace hgnet {

/// Weight of the self-loop that GCN adds to a node which has none: A + I, or A + 2I ("improved"). Or A
/// without any self-loop, also without those of the graph, as ChebNet's Laplacian needs it.
enum class SelfLoopFill { kOne, kTwo, kNone };

inline constexpr int kSelfLoopFills = 3;

constexpr double fill_weight(SelfLoopFill fill) {
  return fill == SelfLoopFill::kNone ? 0.0 : fill == SelfLoopFill::kOne ? 1.0 : 2.0;
}

/// D^-1/2 (A + fill I) D^-1/2, with the self-loops beside the graph's slots instead of among them.
struct GcnNormalisation {
  std::vector<float> values;  // by slot: w_uv / sqrt(d_u d_v)
  std::vector<float>
      diagonal;  // by node: fill / d_v, or 0 where the graph has a self-loop of its own
};

/// Writes by node scale_v = d_v^-1/2, d_v the sum of the weights into v and of the added self-loop
/// (0 where d_v is not positive), by slot `values`, by node `diagonal`. No weights (null): all 1.
/// Parallel over rows; the same bits for every number of threads.
template <class T>
void gcn_normalise(const CsrView& csr, const T* weights, SelfLoopFill fill, T* scale, T* values,
                   T* diagonal, int threads);

/// Throws InvalidGraph, naming the node, where gcn_normalise has no root to divide by although a node
/// has weights that are not 0: negative ones outweigh the others.
void check_degrees(const CsrView& csr, std::span<const float> weights, SelfLoopFill fill);

/// Writes, for weights that need a gradient, d loss / d weights by slot, given `scale` from
/// gcn_normalise and the gradients of `values` and `diagonal`:
///   t_v = d loss / d scale_v = sum over the slots s into and out of v of gv_s w_s scale_other
///         + 2 scale_v fill_v gd_v,
///   grad_s = gv_s scale_u scale_v - t_v scale_v^3 / 2      for the slot s of u -> v.
/// `reverse` is Graph::reverse(); `scratch` holds one value per slot. Not for SelfLoopFill::kNone.
template <class T>
void gcn_normalise_backward(const CsrView& csr, const EdgeId* reverse, const T* weights, T fill,
                            const T* scale, const T* grad_values, const T* grad_diagonal,
                            T* scratch, T* grad_weights, int threads);

}  // namespace hgnet
