// The starting point of every network.

#pragma once

#include <array>
#include <string>

#include "hgnet/config/model_config.hpp"
#include "hgnet/graph/edge_dropout.hpp"
#include "hgnet/models/input.hpp"
#include "hgnet/nn/layers/edge_rows.hpp"
#include "hgnet/nn/tail.hpp"

namespace hgnet {

/// G_0; while training, without a share of its edges.
inline Graph start_graph(const Input& input, double edge_dropout, bool training,
                         Generator& generator) {
  return drop_edges(input.hierarchy.graph(0), training ? edge_dropout : 0.0, generator);
}

/// The encoder of the features, as wide as the edge rows that messages add to them; of atoms column
/// by column.
inline NodeEncoder node_encoder(const ModelConfig& c, Generator& generator) {
  const std::array<std::int64_t, 1> whole{c.inputs};
  return NodeEncoder(c.molecule ? std::span<const std::int64_t>(kAtomColumns) : whole, c.hidden,
                     generator);
}

/// The features, with dropout while training, and encoded if edges have rows.
inline Features start_rows(const Input& input, double dropout, bool training,
                           const NodeEncoder& encoder, Generator& generator) {
  Features x = input.x.dropped(draw_dropout(dropout, training, generator));
  return encoder ? Features(encoder->forward(x)) : x;
}

/// What the encoders are called, also in names of weights.
struct EncoderNames {
  std::string nodes;
  std::string edges;
};
inline EncoderNames encoder_names(bool molecule) {
  return molecule ? EncoderNames{"atoms", "bonds"} : EncoderNames{"nodes", "edges"};
}

}  // namespace hgnet
