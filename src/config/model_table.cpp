#include "hgnet/config/model_table.hpp"

#include "hgnet/core/nearest_name.hpp"

namespace hgnet {
namespace {

constexpr ModelRow flat(std::string_view name, LayerKind layer, bool virtual_node = false) {
  return {name, Frame::kFlat, layer, virtual_node, std::nullopt};
}

constexpr ModelRow hgnet(std::string_view name, std::optional<Coarsening> coarsening) {
  return {name, Frame::kHgnet, LayerKind::kGcn, false, coarsening};
}

constexpr ModelRow kModels[] = {
    flat("gcn", LayerKind::kGcn),
    flat("gcn-vn", LayerKind::kGcn, true),
    flat("gat", LayerKind::kGat),
    flat("cheb", LayerKind::kCheb),
    flat("gin", LayerKind::kGin),
    flat("gin-vn", LayerKind::kGin, true),
    {"g-unet", Frame::kGUnet, LayerKind::kGcn, false, std::nullopt},
    hgnet("hgnet", std::nullopt),
    hgnet("hgnet-edgepool", Coarsening::kEdgePool),
    hgnet("hgnet-louvain", Coarsening::kLouvain),
    hgnet("hgnet-heavy-edge", Coarsening::kHeavyEdge),
    hgnet("hgnet-random", Coarsening::kRandom),
    hgnet("hgnet-top-k", Coarsening::kTopK),
    {"wl", Frame::kWl, LayerKind::kGcn, false, std::nullopt},
    {"mlp", Frame::kRows, LayerKind::kGcn, false, std::nullopt},
};

}  // namespace

std::span<const ModelRow> model_table() { return kModels; }

const ModelRow* find_model(std::string_view name) {
  for (const ModelRow& row : kModels) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

const ModelRow& model_row(std::string_view name) {
  if (const ModelRow* row = find_model(name)) return *row;
  throw Error(unknown_name("model", std::string(name), model_names()));
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const ModelRow& row : kModels) names.emplace_back(row.name);
  return names;
}

ModelConfig model_defaults(std::string_view name) {
  const ModelRow& row = model_row(name);
  ModelConfig config;
  config.model = row.coarsening ? "hgnet" : std::string(name);
  if (row.coarsening) config.coarsening = *row.coarsening;
  if (read_by::kTopKLevels.include(config)) config.keep = {0.5};
  return config;
}

std::string_view model_name(std::string_view model, Coarsening coarsening) {
  const ModelRow& asked = model_row(model);
  if (asked.frame != Frame::kHgnet || asked.coarsening) return asked.name;
  for (const ModelRow& row : kModels) {
    if (row.coarsening == coarsening) return row.name;
  }
  return asked.name;
}

LayerKind layer_of(const ModelConfig& config) {
  const ModelRow& row = model_row(config.model);
  return row.frame == Frame::kHgnet ? config.layer : row.layer;
}

}  // namespace hgnet
