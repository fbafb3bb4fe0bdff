#pragma once

#include <torch/nn/pimpl.h>

#include <string>

#include "hgnet/nn/layer.hpp"

namespace hgnet {

struct RgcnOptions {
  std::int64_t in = 0;
  std::int64_t out = 0;
  Aggregation aggregation = Aggregation::kSum;
};

/// x'_v = W_root x_v + sum_{u in N(v) + v} W_0 x_u + W_1 x_parent(v) + b (Schlichtkrull et al., two
/// relations: inside the level, and to the parent one level up). `mean` divides the sum over N(v) +
/// v by its size. Only the rows of the fine nodes are computed, and W_root x and W_0 x are one
/// product. See split_spmm.
class RgcnLayerImpl : public GraphLayer {
 public:
  RgcnLayerImpl(const RgcnOptions& options, Generator& generator);
  torch::Tensor propagate(const LayerInput& input, Generator& generator) override;
  std::int64_t width() const override { return options_.out; }
  std::string text() const override;

  torch::Tensor weight;         // [2 * out, in]: W_root^T above W_0^T
  torch::Tensor parent_weight;  // W_1^T [out, in]

 private:
  RgcnOptions options_;
};
TORCH_MODULE(RgcnLayer);

}  // namespace hgnet
