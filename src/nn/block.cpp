#include "hgnet/nn/block.hpp"

namespace hgnet {

BlockImpl::BlockImpl(std::shared_ptr<GraphLayer> its_layer, const BlockOptions& options)
    : options_(options) {
  layer = register_module("layer", std::move(its_layer));
  tail = register_module("tail", Tail(layer->width(), options.tail));
}

torch::Tensor BlockImpl::forward(const LayerInput& input, Generator& generator) {
  const torch::Tensor z = layer->propagate(input, generator);
  return tail->forward(z, layer->bias, generator, rows_past(input.x, z));
}

torch::Tensor BlockImpl::rows_past(const Features& x, const torch::Tensor& z) const {
  if (!options_.residual) return {};
  if (options_.broadcast_residual && x.width() == 1)
    return x.times(torch::ones({z.size(1), 1}, z.options()));
  if (x.width() != z.size(1)) return {};
  return x.is_sparse() ? x.times(torch::eye(x.width(), z.options())) : x.dense();
}

std::string BlockImpl::text() const {
  return layer->text() + tail->text() +
         (options_.broadcast_residual ? ", residual (one column to all)"
          : options_.residual         ? ", residual"
                                      : "");
}

}  // namespace hgnet
