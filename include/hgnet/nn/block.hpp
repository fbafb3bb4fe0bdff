#pragma once

#include <torch/nn/pimpl.h>

#include <memory>
#include <string>

#include "hgnet/nn/layer.hpp"
#include "hgnet/nn/tail.hpp"

namespace hgnet {

struct BlockOptions {
  TailOptions tail = {};
  bool residual = false;            // add x where its width is the layer's
  bool broadcast_residual = false;  // and where it is 1, to all channels
};

/// The unit that networks are chains of: y = dropout(act(norm(layer(G, x) + b))) + residual.
class BlockImpl : public torch::nn::Module {
 public:
  BlockImpl(std::shared_ptr<GraphLayer> layer, const BlockOptions& options);

  /// `at_a_time`: see Input. Throws Error where rows have to be computed in parts and the layer
  /// reaches further than one edge.
  torch::Tensor forward(const LayerInput& input, Generator& generator, std::int64_t at_a_time = 0);

  std::int64_t width() const { return layer->width(); }
  /// "gcn 32 -> 7, batch norm, elu".
  std::string text() const;

  std::shared_ptr<GraphLayer> layer;
  Tail tail{nullptr};

 private:
  torch::Tensor forward_in_parts(const LayerInput& input, Generator& generator,
                                 std::int64_t at_a_time);
  /// The rows that go past the layer, or none.
  torch::Tensor rows_past(const Features& x, const torch::Tensor& z) const;

  BlockOptions options_;
};
TORCH_MODULE(Block);

}  // namespace hgnet
