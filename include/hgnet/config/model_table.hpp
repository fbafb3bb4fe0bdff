#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hgnet/config/model_config.hpp"

namespace hgnet {

/// The structure of a network: a chain of layers, or a path through coarser levels and back; of a
/// yardstick, counts of colours or the rows without edges.
enum class Frame { kFlat, kGUnet, kHgnet, kWl, kRows };

/// A model that can be selected by name. Everything that depends on the kind of model reads this
/// row.
struct ModelRow {
  std::string_view name;
  Frame frame = Frame::kFlat;
  LayerKind layer = LayerKind::kGcn;     // of a flat model
  bool virtual_node = false;             // of a flat model
  std::optional<Coarsening> coarsening;  // the name stands for hgnet with this coarsening

  /// The fewest layers, levels or rounds: without rounds, wl counts the nodes' own colours.
  int least_depth() const { return frame == Frame::kWl ? 0 : 1; }
  bool hierarchical() const { return frame == Frame::kGUnet || frame == Frame::kHgnet; }
  /// Sees no edges (wl: counts what is around nodes): what others have to beat.
  bool yardstick() const { return frame == Frame::kWl || frame == Frame::kRows; }
};

std::span<const ModelRow> model_table();

/// Null for a name that is not in the table.
const ModelRow* find_model(std::string_view name);
/// Throws Error, with the nearest names, for a name that is not in the table.
const ModelRow& model_row(std::string_view name);

/// The names in the table's order.
std::vector<std::string> model_names();

/// The configuration that a name stands for ("hgnet-louvain" is "hgnet" with coarsening louvain,
/// and so on), everything else at its defaults. A model with one top-k level keeps half of the
/// nodes. Throws as model_row does.
ModelConfig model_defaults(std::string_view name);

/// The name of a model together with its coarsening: "hgnet-louvain", not "hgnet".
std::string_view model_name(std::string_view model, Coarsening coarsening);

/// The layer that a model's blocks are made of.
LayerKind layer_of(const ModelConfig& config);

}  // namespace hgnet
