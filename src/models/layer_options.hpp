#pragma once

#include "hgnet/config/model_table.hpp"
#include "hgnet/nn/layer.hpp"

namespace hgnet {

/// A layer of the configured kind.
inline LayerOptions layer_options(const ModelConfig& c, std::int64_t in, std::int64_t out) {
  return {.kind = layer_of(c),
          .molecule = c.molecule,
          .in = in,
          .out = out,
          .heads = c.heads,
          .attention_dropout = c.attention_dropout,
          .cheb_order = c.cheb_order,
          .batch_norm = c.norm == Norm::kBatch,
          .trainable_eps = c.trainable_eps};
}

}  // namespace hgnet
