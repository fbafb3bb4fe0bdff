#pragma once

#include <torch/nn/pimpl.h>

#include <memory>
#include <optional>
#include <string>

#include "hgnet/nn/layer.hpp"
#include "hgnet/nn/layers/molecule.hpp"
#include "hgnet/nn/tail.hpp"

namespace hgnet {

struct BlockOptions {
  TailOptions tail = {};
  bool residual = false;               // add x if its width is the layer's
  std::optional<int> bond_level = {};  // molecules: encode the bonds of this level for the layer
};

/// The unit that networks are chains of: y = dropout(act(norm(layer(G, x) + b))) + residual.
class BlockImpl : public torch::nn::Module {
 public:
  BlockImpl(std::shared_ptr<GraphLayer> layer, const BlockOptions& options, Generator& generator);

  /// `bonds` are the graph's, for a block that encodes them.
  torch::Tensor forward(LayerInput input, const Bonds* bonds, Generator& generator);

  std::int64_t width() const { return layer->width(); }
  /// "gcn 32 -> 7, batch norm, elu".
  std::string text() const;

  std::shared_ptr<GraphLayer> layer;
  Tail tail{nullptr};
  BondEncoder bonds{nullptr};

 private:
  bool residual_;
};
TORCH_MODULE(Block);

}  // namespace hgnet
