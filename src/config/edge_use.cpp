#include "hgnet/config/edge_use.hpp"

#include "hgnet/config/model_table.hpp"

namespace hgnet {

bool reads_edge_weights(const ModelConfig& config) {
  if (model_row(config.model).yardstick()) return false;
  const LayerKind layer = layer_of(config);
  if (layer == LayerKind::kGcn || layer == LayerKind::kCheb) return true;
  return model_row(config.model).frame == Frame::kHgnet &&
         (traits_of(config.coarsening).by_weight || config.weighted_louvain);
}

bool takes_edge_rows(const ModelConfig& config) {
  const ModelRow& row = model_row(config.model);
  switch (row.frame) {
    case Frame::kFlat: return row.layer == LayerKind::kGcn || row.layer == LayerKind::kGin;
    case Frame::kHgnet:
      return config.layer == LayerKind::kGcn && config.coarsening != Coarsening::kTopK;
    case Frame::kWl: return true;
    case Frame::kGUnet:
    case Frame::kRows: break;
  }
  return false;
}

bool reads_edge_rows(const ModelConfig& config) {
  return takes_edge_rows(config) && (config.molecule || config.edge_inputs > 0);
}

}  // namespace hgnet
