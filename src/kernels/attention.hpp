#pragma once

#include <cstdint>

#include "hgnet/core/ids.hpp"
#include "hgnet/graph/csr.hpp"

namespace hgnet::kernels {

/// Attention with a self-loop at every node; slots that are self-loops themselves are skipped.
/// Arrays "by place" have a row of `heads` for each slot and then one for each node's self-loop.
template <class T>
struct Attention {
  CsrView a;
  std::int64_t heads = 1;
  std::int64_t channels = 1;  // per head
  T slope = 0;                // of the leaky ReLU
  const T* x = nullptr;       // [nodes, heads * channels]
  const T* source = nullptr;  // [nodes, heads]
  const T* target = nullptr;  // [nodes, heads]
};

/// alpha by place = softmax over the places into v of LeakyReLU(source_u + target_v); kept by place
/// = keep alpha; y_v = sum over the places into v of kept x_u. Without dropout, keep is null and
/// kept is alpha.
template <class T>
void attention(const Attention<T>& args, const T* keep, T* alpha, T* kept, T* y, int threads);

template <class T>
struct AttentionGradients {
  T* x = nullptr;
  T* source = nullptr;
  T* target = nullptr;
  T* logits = nullptr;  // scratch, by place
};

/// With dots = dy_v . x_u: dlogit = (kept dots - alpha sum kept dots) LeakyReLU'(logit), all by
/// place and head; dtarget_v = sum of dlogit into v, dsource_u = sum of dlogit out of u, dx_u = sum
/// over the places out of u of kept dy_v.
template <class T>
void attention_backward(const Attention<T>& args, const EdgeId* reverse, const T* alpha,
                        const T* kept, const T* grad_y, const AttentionGradients<T>& gradients,
                        int threads);

}  // namespace hgnet::kernels
