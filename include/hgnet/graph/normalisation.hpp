#pragma once

#include <span>
#include <vector>

#include "hgnet/graph/csr.hpp"

namespace hgnet {

/// Weight of the self-loop that GCN adds to a node that has none: A + I, or A + 2I ("improved").
/// kNone: A without any self-loops, not even the graph's own, as ChebNet's Laplacian needs.
enum class SelfLoopFill { kOne, kTwo, kNone };

inline constexpr int kSelfLoopFills = 3;

constexpr double fill_weight(SelfLoopFill fill) {
  return fill == SelfLoopFill::kNone ? 0.0 : fill == SelfLoopFill::kOne ? 1.0 : 2.0;
}

/// D^-1/2 (A + fill I) D^-1/2, with the added self-loops stored separately from the graph's slots.
struct GcnNormalisation {
  std::vector<float> values;    // by slot: w_uv / sqrt(d_u d_v)
  std::vector<float> diagonal;  // by node: fill / d_v, or 0 if the graph has a self-loop there
};

/// Writes, by node, scale_v = d_v^-1/2, where d_v is the sum of the weights into v, of those left
/// `outside` (Graph::outside) and of the added self-loop (0 if d_v is not positive); by slot,
/// `values`; by node, `diagonal`. Null weights: all 1. Parallel over rows; bitwise the same for any
/// number of threads.
template <class T>
void gcn_normalise(const CsrView& csr, const T* weights, std::span<const float> outside,
                   SelfLoopFill fill, T* scale, T* values, T* diagonal, int threads);

/// Throws InvalidGraph, naming the node, where gcn_normalise has no root to divide by although a
/// node has weights that are not 0: negative ones outweigh the others.
void check_degrees(const CsrView& csr, std::span<const float> weights,
                   std::span<const float> outside, SelfLoopFill fill);

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
