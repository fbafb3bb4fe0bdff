#pragma once

#include <torch/nn/pimpl.h>

#include "hgnet/graph/normalisation.hpp"
#include "hgnet/nn/layer.hpp"

namespace hgnet {

struct GcnOptions {
  std::int64_t in = 0;
  std::int64_t out = 0;
  SelfLoopFill fill = SelfLoopFill::kOne;  // kTwo: "improved"
};

/// X' = D^-1/2 (A + I) D^-1/2 X W + b (Kipf and Welling), using the graph's edge weights. Initially
/// W is glorot-uniform and b zero. Gathers the narrower of X and X W along the edges.
class GcnLayerImpl : public GraphLayer {
 public:
  GcnLayerImpl(const GcnOptions& options, Generator& generator);
  torch::Tensor propagate(const LayerInput& input, Generator& generator) override;
  std::int64_t width() const override { return options_.out; }
  std::string text() const override;

  torch::Tensor weight;  // [out, in]

 private:
  GcnOptions options_;
};
TORCH_MODULE(GcnLayer);

}  // namespace hgnet
