#pragma once

#include <cstdint>
#include <span>

#include "hgnet/core/ids.hpp"
#include "hgnet/graph/csr.hpp"

namespace hgnet::kernels {

/// Softmax of `logits` over the slots of each row, column by column; columns are heads.
template <class T>
void segment_softmax(const CsrView& a, const T* logits, T* out, std::int64_t heads, int threads);

/// grad_logits_s = p_s (g_s - sum over the slots t of the row of p_t g_t).
template <class T>
void segment_softmax_backward(const CsrView& a, const T* softmax, const T* grad, T* grad_logits,
                              std::int64_t heads, int threads);

/// p_s = softmax over the slots s of row v of (node_scores[u][0] + node_scores[v][1] + bias), u the
/// neighbour in slot s. node_scores is [nodes, 2].
template <class T>
void edge_softmax(const CsrView& a, const T* node_scores, T bias, T* out, int threads);

/// With r_s = p_s (g_s - sum_t p_t g_t) over the row:
/// grad_node_scores[v][1] = sum of r over row v, [u][0] = sum of r over the edges out of u.
/// `scratch` holds one value per slot.
template <class T>
void edge_softmax_backward(const CsrView& a, const EdgeId* reverse, const T* p, const T* grad,
                           T* scratch, T* grad_node_scores, int threads);

/// x_i <- exp(x_i); NaN stays NaN.
void exponentials(std::span<float> x);

}  // namespace hgnet::kernels
