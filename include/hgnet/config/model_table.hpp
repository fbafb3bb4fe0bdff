#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hgnet/config/model_config.hpp"

namespace hgnet {

/// What a network is built as: a chain of layers, or a way through coarser levels and back.
enum class Frame { kFlat, kGUnet, kHgnet };

/// One name that a model can be asked for by. Everything that depends on the kind of a model asks this row.
struct ModelRow {
  std::string_view name;
  Frame frame = Frame::kFlat;
  LayerKind layer = LayerKind::kGcn;     // of a flat model
  bool virtual_node = false;             // of a flat model
  std::optional<Coarsening> coarsening;  // the name stands for hgnet with this coarsening

  bool hierarchical() const { return frame != Frame::kFlat; }
};

std::span<const ModelRow> model_table();

/// None for a name that is not in the table.
const ModelRow* find_model(std::string_view name);
/// Throws Error, with the nearest names, for one that is not in the table.
const ModelRow& model_row(std::string_view name);

/// The names in the table's order.
std::vector<std::string> model_names();

/// The configuration that stands behind a name ("hgnet-louvain" is "hgnet" with coarsening louvain, and so on), all else
/// at its defaults; a model of one top-k level keeps half of the nodes. Throws as model_row does.
ModelConfig model_defaults(std::string_view name);

/// The name of a configuration, with its coarsening: "hgnet-louvain", not "hgnet".
std::string_view model_name(std::string_view model, Coarsening coarsening);

/// The layer that a model's blocks are made of.
LayerKind layer_of(const ModelConfig& config);

}  // namespace hgnet
