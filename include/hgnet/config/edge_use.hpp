#pragma once

#include "hgnet/config/model_config.hpp"

namespace hgnet {

/// Whether the weights of edges have an effect: on GCN's and ChebNet's normalisation, or on levels
/// that weighted Louvain or heavy-edge matching makes.
bool reads_edge_weights(const ModelConfig& config);

/// Whether the model can read features of edges: GCN and GIN, with or without a virtual node, and
/// HGNet of GCN layers have layers for them (not with coarsening top-k, whose edges stand for none
/// below); wl has colours of edges.
bool takes_edge_rows(const ModelConfig& config);

/// Whether it does: bonds, or features of width edge_inputs.
bool reads_edge_rows(const ModelConfig& config);

}  // namespace hgnet
