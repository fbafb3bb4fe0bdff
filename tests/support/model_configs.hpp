#pragma once

#include <string>
#include <vector>

#include "hgnet/models/model.hpp"
#include "hgnet/nn/layers/edge_rows.hpp"

/// Small models of every kind for tests.
namespace hgnet::test {

struct NamedConfig {
  std::string name;
  ModelConfig config;
};

inline ModelConfig small(ModelConfig config) {
  config.inputs = 5;
  config.outputs = 4;
  config.hidden = 6;
  const bool hierarchical = config.model == "g-unet" || config.model == "hgnet";
  if (hierarchical) config.levels = 2;
  const bool top_k = config.model == "hgnet" && config.coarsening == Coarsening::kTopK;
  if (config.model == "g-unet" || top_k) config.keep = {0.7, 3};
  const bool gat =
      config.model == "gat" || (config.model == "hgnet" && config.layer == LayerKind::kGat);
  if (gat) config.heads = 2;
  return config;
}

inline ModelConfig small(const std::string& name) { return small(model_defaults(name)); }

inline ModelConfig small_hgnet(Coarsening coarsening, LayerKind layer = LayerKind::kGcn,
                               JoinKind join = JoinKind::kRgcn) {
  ModelConfig config = model_defaults("hgnet");
  config.coarsening = coarsening;
  config.layer = layer;
  config.join = join;
  return small(config);
}

/// Every name but the yardsticks, which have no layers on the graph.
inline std::vector<NamedConfig> named_models() {
  std::vector<NamedConfig> all;
  for (const std::string& name : model_names()) {
    if (!model_row(name).yardstick()) all.push_back({name, small(name)});
  }
  return all;
}

/// Every name, and every combination that the HGNet frame has.
inline std::vector<NamedConfig> all_models() {
  std::vector<NamedConfig> all = named_models();
  for (const auto& [coarsening, coarsening_name] : EnumNames<Coarsening>::values) {
    for (const auto& [layer, layer_name] : EnumNames<LayerKind>::values) {
      for (const auto& [join, join_name] : EnumNames<JoinKind>::values) {
        all.push_back(
            {std::string("hgnet ") + coarsening_name + ", " + layer_name + ", " + join_name,
             small_hgnet(coarsening, layer, join)});
      }
    }
  }
  return all;
}

inline std::vector<NamedConfig> molecule_models() {
  std::vector<NamedConfig> all;
  for (const char* name : {"gcn", "gcn-vn", "gin", "gin-vn"}) all.push_back({name, small(name)});
  for (const Coarsening coarsening :
       {Coarsening::kEdgePool, Coarsening::kLouvain, Coarsening::kRandom}) {
    all.push_back({std::string("hgnet ") + std::string(enum_name(coarsening)),
                   small_hgnet(coarsening, LayerKind::kGcn, JoinKind::kParent)});
  }
  for (NamedConfig& named : all) {
    named.config.molecule = true;
    named.config.inputs = kAtomWidth;
    named.config.task = Task::kGraph;
    named.config.norm = Norm::kBatch;
    named.config.activation = Activation::kRelu;
  }
  return all;
}

}  // namespace hgnet::test
