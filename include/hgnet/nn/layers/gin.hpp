#pragma once

#include <torch/nn/pimpl.h>

#include "hgnet/nn/layer.hpp"
#include "hgnet/nn/linear.hpp"
#include "hgnet/nn/tail.hpp"

namespace hgnet {

struct GinOptions {
  std::int64_t in = 0;
  std::int64_t out = 0;
  bool batch_norm = false;  // between the MLP's two Linears
  bool trainable_eps = false;
};

/// x'_v = MLP((1 + eps) x_v + sum_{u in N(v)} x_u) (Xu et al.), MLP = Linear, [BatchNorm], ReLU,
/// Linear, all of width `out`. eps is 0, and fixed unless trainable. The sum commutes with the
/// first Linear and is applied to the narrower side of it.
class GinLayerImpl : public GraphLayer {
 public:
  GinLayerImpl(const GinOptions& options, Generator& generator);
  torch::Tensor propagate(const LayerInput& input, Generator& generator) override;
  std::int64_t width() const override { return options_.out; }
  std::string text() const override;

  Linear first{nullptr};
  Tail middle{nullptr};
  Linear second{nullptr};
  torch::Tensor eps;  // [1] if trainable

 private:
  torch::Tensor first_products(const Graph& graph, Features& x) const;

  GinOptions options_;
};
TORCH_MODULE(GinLayer);

}  // namespace hgnet
