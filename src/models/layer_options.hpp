#pragma once

#include "hgnet/config/edge_use.hpp"
#include "hgnet/config/model_table.hpp"
#include "hgnet/nn/layer.hpp"

namespace hgnet {

/// A layer of the configured kind. For molecules, GIN is OGB's: its MLP has twice the width and a
/// norm, and eps is trained.
inline LayerOptions layer_options(const ModelConfig& c, std::int64_t in, std::int64_t out) {
  return {.kind = layer_of(c),
          .edge_rows = reads_edge_rows(c),
          .in = in,
          .out = out,
          .heads = c.heads,
          .attention_dropout = c.attention_dropout,
          .cheb_order = c.cheb_order,
          .batch_norm = c.molecule || c.norm == Norm::kBatch,
          .trainable_eps = c.molecule || c.trainable_eps,
          .gin_expansion = c.molecule ? 2 : 1};
}

}  // namespace hgnet
