#include "hgnet/settings/reading.hpp"

#include <algorithm>
#include <string_view>

#include "hgnet/config/model_table.hpp"

namespace hgnet {
namespace {

using Config = TrainConfig;

constexpr std::string_view kFixedStarts = ":fixed-starts";
constexpr std::string_view kWrappedStarts = ":wrapped-starts";
constexpr std::string_view kHops = "sanitized:";
constexpr std::string_view kWalks = "sanitized-walk:";

bool is_color(const Config& c) { return c.dataset.starts_with("cc-"); }

/// Not of the paper, so that there is one way of drawing it.
bool is_matched(const Config& c) { return c.dataset.ends_with(":matched"); }

bool is_hgnet_of(const Config& c, Coarsening coarsening) {
  return model_row(c.network.model).frame == Frame::kHgnet && c.network.coarsening == coarsening;
}

bool has_virtual_node(const Config& c) {
  return model_row(c.network.model).virtual_node && !c.network.molecule;
}

bool coarsens_again(const Config& c) { return c.network.levels > 1; }

/// A GCN layer has every self-loop anyway; so those of a coarse graph matter to what coarsens it.
bool heeds_self_loops(const Config& c) {
  return coarsens_again(c) || c.network.layer != LayerKind::kGcn;
}

/// After the last layer a virtual node does nothing.
bool uses_virtual_node(const Config& c) { return c.network.layers > 1; }

const ReadingEffect kOnNames[] = {
    {"color-connectivity on grids", "both walkers' starts drawn for every sample",
     "both drawn once, the same for all samples",
     [](const Config& c) { return c.dataset.starts_with("cc-grid") && !is_matched(c); },
     [](Config& c) { c.dataset = dataset_as_written(c.dataset) + std::string(kFixedStarts); }},
    {"color-connectivity on Euroroad", "the second start 30 to 99 further on in node order",
     "the same, going on from the last node to the first",
     [](const Config& c) { return c.dataset.starts_with("cc-euroroad") && !is_matched(c); },
     [](Config& c) { c.dataset = dataset_as_written(c.dataset) + std::string(kWrappedStarts); }},
    {"sanitized splits, k = 2 and more", "all nodes within k hops are barred",
     "those at the end of walks of exactly k steps are",
     [](const Config& c) {
       const std::string split = split_as_written(c.split);
       return split.starts_with(kHops) && split != "sanitized:0" && split != "sanitized:1";
     },
     [](Config& c) {
       c.split = std::string(kWalks) + split_as_written(c.split).substr(kHops.size());
     }}};

const ReadingEffect kOnSettings[] = {
    {"hgnet-edgepool of two and more levels, outside molecules", "coarse graphs without self-loops",
     "a self-loop on every contracted node",
     [](const Config& c) { return is_hgnet_of(c, Coarsening::kEdgePool) && !c.network.molecule; },
     [](Config& c) { c.network.self_loops = SelfLoops::kKeep; }, true, heeds_self_loops},
    {"hgnet-louvain, rows from the second level on", "pooled after the level's layer",
     "pooled before it", [](const Config& c) { return is_hgnet_of(c, Coarsening::kLouvain); },
     [](Config& c) { c.network.pooled_rows = PooledRows::kBefore; }, true, coarsens_again},
    {"hgnet-louvain, weights of coarse edges", "averages", "sums",
     [](const Config& c) { return is_hgnet_of(c, Coarsening::kLouvain); },
     [](Config& c) { c.network.edge_weights = EdgePooling::kSum; }},
    {"hgnet on molecules, bond rows of coarse edges", "averages", "sums",
     [](const Config& c) {
       return model_row(c.network.model).frame == Frame::kHgnet && c.network.molecule;
     },
     [](Config& c) { c.network.edge_weights = EdgePooling::kSum; }},
    {"residual of the first layer, color-connectivity", "none, the widths differ",
     "the colour is added to all channels",
     [](const Config& c) { return is_color(c) && c.network.residual; },
     [](Config& c) { c.network.broadcast_residual = true; }},
    {"virtual node beside residuals, outside molecules", "no residual", "its state is added",
     [](const Config& c) { return has_virtual_node(c) && c.network.residual; },
     [](Config& c) { c.network.virtual_node_residual = true; }, true, uses_virtual_node},
    {"virtual node beside dropout, outside molecules", "no dropout", "dropout on its MLP's result",
     [](const Config& c) { return has_virtual_node(c) && c.network.dropout > 0; },
     [](Config& c) { c.network.virtual_node_dropout = true; }, true, uses_virtual_node},
    {"width of the classifier, color-connectivity", "128", "32",
     [](const Config& c) { return is_color(c) && !model_row(c.network.model).yardstick(); },
     [](Config& c) { c.network.classifier_hidden = 32; }},
    {"time of a fit", "no limit", "12 hours", [](const Config&) { return true; },
     [](Config& c) { c.max_hours = 12; }, /*tells_apart=*/false}};

void apply(std::span<const ReadingEffect> effects, Config& config, Reading reading) {
  config.reading = reading;
  if (reading == Reading::kAsWritten) return;
  for (const ReadingEffect& effect : effects) {
    if (effect.concerns(config)) effect.apply(config);
  }
}

}  // namespace

std::span<const ReadingEffect> reading_effects_on_names() { return kOnNames; }
std::span<const ReadingEffect> reading_effects_on_settings() { return kOnSettings; }

void read_settings(TrainConfig& config, Reading reading) { apply(kOnSettings, config, reading); }

void read_names(TrainConfig& config, Reading reading) { apply(kOnNames, config, reading); }

bool readings_differ(const TrainConfig& config) {
  const auto differs = [&](const ReadingEffect& effect) {
    return effect.tells_apart && effect.concerns(config) &&
           (effect.acts == nullptr || effect.acts(config));
  };
  return std::any_of(std::begin(kOnNames), std::end(kOnNames), differs) ||
         std::any_of(std::begin(kOnSettings), std::end(kOnSettings), differs);
}

std::string dataset_as_written(const std::string& dataset) {
  for (const std::string_view suffix : {kFixedStarts, kWrappedStarts}) {
    if (dataset.starts_with("cc-") && dataset.ends_with(suffix))
      return dataset.substr(0, dataset.size() - suffix.size());
  }
  return dataset;
}

std::string split_as_written(const std::string& split) {
  return split.starts_with(kWalks) ? std::string(kHops) + split.substr(kWalks.size()) : split;
}

}  // namespace hgnet
