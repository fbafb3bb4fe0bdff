#include "hgnet/config/edge_use.hpp"

#include "hgnet/config/model_table.hpp"

namespace hgnet {

bool reads_edge_weights(const ModelConfig& config) {
  if (model_row(config.model).yardstick()) return false;
  const LayerKind layer = layer_of(config);
  if (layer == LayerKind::kGcn || layer == LayerKind::kCheb) return true;
  return model_row(config.model).frame == Frame::kHgnet &&
         (config.coarsening == Coarsening::kHeavyEdge || config.weighted_louvain);
}

bool reads_edge_rows(const ModelConfig& config) { return config.molecule; }

}  // namespace hgnet
