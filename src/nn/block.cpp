#include "hgnet/nn/block.hpp"

namespace hgnet {
namespace {

/// The rows to add as residual, if their width is that of z.
torch::Tensor rows_past(const Features& x, const torch::Tensor& z) {
  if (x.width() != z.size(1)) return {};
  return x.is_sparse() ? x.times(torch::eye(x.width(), z.options())) : x.dense();
}

}  // namespace

BlockImpl::BlockImpl(std::shared_ptr<GraphLayer> its_layer, const BlockOptions& options,
                     Generator& generator)
    : residual_(options.residual) {
  layer = register_module("layer", std::move(its_layer));
  tail = register_module("tail", Tail(layer->width(), options.tail));
  if (options.bond_level)
    bonds =
        register_module("bonds", BondEncoder(layer->edge_width(), *options.bond_level, generator));
}

torch::Tensor BlockImpl::forward(LayerInput input, const Bonds* of_graph, Generator& generator) {
  if (bonds) input.edges = bonds->forward(*of_graph);
  const torch::Tensor z = layer->propagate(input, generator);
  return tail->forward(z, layer->bias, generator,
                       residual_ ? rows_past(input.x, z) : torch::Tensor());
}

std::string BlockImpl::text() const {
  return layer->text() + (bonds ? ", bond encoder" : "") + tail->text() +
         (residual_ ? ", residual" : "");
}

}  // namespace hgnet
