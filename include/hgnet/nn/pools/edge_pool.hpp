#pragma once

#include <torch/nn/pimpl.h>

#include "hgnet/nn/pool.hpp"

namespace hgnet {

/// EdgePool (Diehl): s_uv = 0.5 + softmax over the edges into v of w . [x_u ; x_v] + b; greedy
/// contraction by s; x_p = s_uv (x_u + x_v), or x_v for an unmerged node. Gradients flow through x
/// and s, not through the choice of edges.
class EdgePoolImpl : public Pool {
 public:
  EdgePoolImpl(const PoolOptions& options, Generator& generator);
  Pooled forward(const PoolLevel& level, const torch::Tensor& x,
                 const Hierarchy& prepared) override;
  std::string text() const override { return "edgepool"; }
  std::string reach(int level) const override;

  torch::Tensor weight;  // [2, width]: w of the source, w of the target
  torch::Tensor bias;    // [1]

 private:
  PoolOptions options_;
};
TORCH_MODULE(EdgePool);

}  // namespace hgnet
