#pragma once

#include <torch/nn/pimpl.h>

#include "hgnet/nn/layer.hpp"

namespace hgnet {

struct GatOptions {
  std::int64_t in = 0;
  std::int64_t channels = 0;  // per head
  std::int64_t heads = 1;     // concatenated
  double attention_dropout = 0;
};

/// With H = X W, for each head: e_uv = LeakyReLU(a_s . h_u + a_d . h_v, 0.2), alpha = softmax over
/// the edges into v (self-loop included), x'_v = sum_u alpha_uv h_u + b (Velickovic et al.).
/// Dropout is applied to alpha while training.
class GatLayerImpl : public GraphLayer {
 public:
  GatLayerImpl(const GatOptions& options, Generator& generator);
  torch::Tensor propagate(const LayerInput& input, Generator& generator) override;
  std::int64_t width() const override { return options_.heads * options_.channels; }
  std::string text() const override;

  torch::Tensor weight;  // [heads * channels, in]
  torch::Tensor source;  // a_s [heads, channels]
  torch::Tensor target;  // a_d [heads, channels]

 private:
  GatOptions options_;
};
TORCH_MODULE(GatLayer);

}  // namespace hgnet
