#include "hgnet/train/data_use.hpp"

#include <algorithm>

#include "hgnet/config/edge_use.hpp"
#include "hgnet/config/model_table.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/core/text.hpp"

namespace hgnet {
namespace {

std::string node_text(const Dataset& dataset, std::size_t graph, NodeId node) {
  const auto row = static_cast<std::size_t>(dataset.node_offsets[graph] + node);
  if (dataset.task == Task::kNode && !dataset.sample_names.empty())
    return in_quotes(dataset.sample_names[row]);
  return std::to_string(node) +
         (dataset.graphs.size() > 1 ? " of graph " + std::to_string(graph) : "");
}

/// "hgnet-edgepool with layer gat".
std::string full_name(const ModelConfig& config) {
  const bool other_layer = read_by::kHgnet.include(config) && config.layer != LayerKind::kGcn;
  return std::string(model_name(config.model, config.coarsening)) +
         (other_layer ? " with layer " + std::string(enum_name(config.layer)) : "");
}

}  // namespace

std::vector<std::string> ignored_by(const ModelConfig& config, const Dataset& dataset) {
  std::vector<std::string> notes;
  const std::string model = full_name(config);
  const auto weighted = [](const Graph& graph) { return graph.has_weights(); };
  if (!reads_edge_weights(config) &&
      std::any_of(dataset.graphs.begin(), dataset.graphs.end(), weighted))
    notes.push_back("ignored: edge weights, which " + model + " does not read");
  if (reads_edge_rows(config)) return notes;
  const std::string why = takes_edge_rows(config) ? "; the setting edge-features = use takes it"
                                                  : ", which " + model + " does not read";
  for (const ColumnInfo& column : dataset.edge_columns)
    notes.push_back("ignored: edge column '" + column.name + "'" + why);
  return notes;
}

void check_weights(const ModelConfig& config, const Dataset& dataset) {
  if (!reads_edge_weights(config)) return;
  for (std::size_t g = 0; g < dataset.graphs.size(); ++g) {
    const Graph& graph = dataset.graphs[g];
    if (!graph.has_weights()) continue;
    for (NodeId v = 0; v < graph.num_nodes(); ++v) {
      for (EdgeId s = graph.offsets()[v]; s < graph.offsets()[v + 1]; ++s) {
        if (graph.weights()[s] >= 0) continue;
        throw InvalidDataset("data set " + printable(dataset.name) + ": the edge between nodes " +
                             node_text(dataset, g, v) + " and " +
                             node_text(dataset, g, graph.columns()[s]) + " has the weight " +
                             short_number(graph.weights()[s]) + "; " + config.model +
                             " takes no negative weights");
      }
    }
  }
}

}  // namespace hgnet
