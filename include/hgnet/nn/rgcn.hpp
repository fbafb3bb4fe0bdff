#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include <string>

#include "hgnet/core/random.hpp"
#include "hgnet/nn/kinds.hpp"
#include "hgnet/ops/split_spmm.hpp"

namespace hgnet {

struct RgcnOptions {
  std::int64_t in = 0;
  std::int64_t out = 0;
  Aggregation aggregation = Aggregation::kSum;
};

/// x'_v = W_root x_v + sum_{u in N(v) + v} W_0 x_u + W_1 x_parent(v) + b (Schlichtkrull et al., two relations:
/// inside the level, and to the parent one level up). `mean` divides the sum over N(v) + v by its size.
/// Only the rows of the fine nodes are computed, and W_root x and W_0 x are one product. See split_spmm.
class RgcnLayerImpl : public torch::nn::Module {
 public:
  RgcnLayerImpl(const RgcnOptions& options, Generator& generator);

  /// The result without its bias, which the Tail adds. `parents.rows` are the rows x of the level above.
  torch::Tensor propagate(const Graph& graph, const torch::Tensor& x,
                          const ParentRows& parents) const;
  std::string text() const;

  torch::Tensor weight;         // [2 * out, in]: W_root^T above W_0^T
  torch::Tensor parent_weight;  // W_1^T [out, in]
  torch::Tensor bias;

 private:
  RgcnOptions options_;
};
TORCH_MODULE(RgcnLayer);

}  // namespace hgnet
