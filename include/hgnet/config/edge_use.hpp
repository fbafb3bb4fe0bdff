#pragma once

#include "hgnet/config/model_config.hpp"

namespace hgnet {

/// Whether the weights of edges have an effect: on GCN's and ChebNet's normalisation, or on levels that
/// weighted Louvain or heavy-edge matching makes.
bool reads_edge_weights(const ModelConfig& config);

/// Whether the features of edges have an effect: only as the bonds of molecules.
bool reads_edge_rows(const ModelConfig& config);

}  // namespace hgnet
