// Settings that follow from the data.

#include <algorithm>

#include "hgnet/config/edge_use.hpp"
#include "hgnet/config/limits.hpp"
#include "hgnet/config/model_table.hpp"
#include "hgnet/data/split_choice.hpp"
#include "hgnet/records/metrics.hpp"
#include "hgnet/settings/config.hpp"
#include "hgnet/settings/memory_plan.hpp"

namespace hgnet {
namespace {

bool any_weights(const Dataset& dataset) {
  return std::any_of(dataset.graphs.begin(), dataset.graphs.end(),
                     [](const Graph& graph) { return graph.has_weights(); });
}

bool uses_edge_columns(EdgeFeatures choice, const Dataset& dataset) {
  return !dataset.edge_columns.empty() &&
         (choice == EdgeFeatures::kUse || (choice == EdgeFeatures::kAuto && dataset.own));
}

}  // namespace

std::string preset_for(const Dataset& dataset) {
  if (dataset.task == Task::kNode) return "citation";
  if (are_molecules(dataset)) return "molecules";
  return dataset.name.starts_with("cc-") ? "color-connectivity" : "tu";
}

TrainConfig first_settings(const std::string& model, const Dataset& dataset,
                           const std::string& preset, EdgeFeatures edge_features) {
  TrainConfig config;
  config.model = model;
  config.network = model_defaults(model);
  config.network.molecule = are_molecules(dataset);
  config.standardise = dataset.own;
  config.edge_features = EdgeFeatures::kAuto;
  // The only join that reads the rows of edges.
  if (uses_edge_columns(edge_features, dataset) && takes_edge_rows(config.network) &&
      read_by::kHgnet.include(config.network))
    config.network.join = JoinKind::kParent;
  if (dataset.own && read_by::kLouvainLevels.include(config.network) && any_weights(dataset)) {
    config.network.weighted_louvain = true;
    config.network.edge_weights = EdgePooling::kSum;
  }
  apply_preset(config, preset.empty() ? preset_for(dataset) : preset);
  return config;
}

void complete(TrainConfig& config, const Dataset& dataset) {
  ModelConfig& network = config.network;
  check_sizes(network);
  if (config.fold < -1)
    throw Error("training: fold is " + std::to_string(config.fold) + "; expected 0 or more");
  network.task = dataset.task;
  network.molecule = are_molecules(dataset);
  network.inputs = input_width(dataset, config.missing);
  if (config.edge_features == EdgeFeatures::kAuto)
    config.edge_features = dataset.own ? EdgeFeatures::kUse : EdgeFeatures::kIgnore;
  const bool edges = config.edge_features == EdgeFeatures::kUse && !network.molecule;
  network.edge_inputs =
      edges && takes_edge_rows(network) ? encoded_edge_width(dataset, config.missing) : 0;
  network.outputs =
      dataset.target_kind == TargetKind::kClasses ? dataset.num_classes() : dataset.num_tasks;
  if (network.outputs == 0) {
    std::string message = dataset.name + " has no labels to train on";
    if (const auto* rows = std::get_if<ColumnRows>(&dataset.features)) {
      message += "; expected a column label, or the setting label-column with the name of one of";
      for (const Column& column : rows->columns)
        message += (&column == rows->columns.data() ? " " : ", ") + column.name;
    }
    for (const std::string& note : dataset.notes) message += "\n" + note;
    throw InvalidDataset(message);
  }
  if (config.class_weights != ClassWeights::kNone && dataset.target_kind == TargetKind::kRegression)
    throw Error("training: class-weights has no effect on " + dataset.name +
                ", whose targets are numbers");
  // Layers of molecules may have norms of their own, which only the model knows.
  if (config.recalibrate && !read_by::kNorms.include(network) && !network.molecule)
    throw NoEffect("recalibrate has no effect: " + config.model +
                   " has no norm with running statistics here");
  if (config.metric.empty()) config.metric = default_metric(dataset);
  if (config.split.empty()) config.split = default_split(dataset);
  const bool folds = num_folds(dataset, config.split) > 0;
  if (!folds && config.fold >= 0)
    throw Error("training: split " + config.split + " has no folds to choose from");
  if (folds && config.fold < 0) config.fold = 0;
  const auto levels = static_cast<std::size_t>(std::max(network.levels, 0));
  if (!network.keep.empty() && network.keep.size() != levels)
    network.keep.resize(levels, network.keep.back());
  check_node_batches(config, dataset);
  if (!config.memory.empty()) config.batch_nodes = plan_memory(config, dataset).batch_nodes;
}

}  // namespace hgnet
