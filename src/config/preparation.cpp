#include "hgnet/config/preparation.hpp"

#include "hgnet/config/edge_use.hpp"
#include "hgnet/config/model_table.hpp"

namespace hgnet {

Hierarchy Preparation::of(const Graph& graph, int threads) const {
  if (levels == 0) return Hierarchy(graph);
  return build_hierarchy_of_depth(graph, levels, coarsen_step(coarsening, options, threads));
}

Preparation preparation_of(const ModelConfig& config) {
  Preparation rows;
  if (read_by::kWl.include(config)) {
    rows.rows = SampleRows::kWl;
    rows.rounds = config.layers;
    rows.edge_rows = reads_edge_rows(config);
    return rows;
  }
  if (model_row(config.model).frame == Frame::kRows && config.task == Task::kGraph) {
    rows.rows = config.readout == Readout::kSum ? SampleRows::kSum : SampleRows::kMean;
    return rows;
  }
  if (!read_by::kStaticLevels.include(config)) return {};
  const EdgeWeights weights = config.weighted_louvain ? EdgeWeights::kOwn : EdgeWeights::kUnit;
  return {config.levels,
          config.coarsening,
          {config.coarsening_seed, config.edge_weights, config.partition, weights},
          SampleRows::kOfNodes,
          0,
          false};
}

}  // namespace hgnet
