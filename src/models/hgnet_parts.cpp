// The parts of HGNet and g-U-Net.

#include "hgnet/models/hgnet.hpp"
#include "models/layer_options.hpp"
#include "models/start.hpp"

namespace hgnet {
namespace {

TailOptions tail_of(const ModelConfig& c, bool active = true) {
  return active ? TailOptions{c.norm, c.activation, c.dropout}
                : TailOptions{c.norm, Activation::kNone, 0.0};
}

PoolOptions pool_options(const ModelConfig& c, int level) {
  return {.width = c.hidden,
          .coarse = {c.self_loops, c.edge_weights},
          .keep_score = traits_of(c.join).divides,
          .keep = c.keep.empty() ? Keep{} : keep_of(c.keep[level]),
          .pooled = c.pooled_rows};
}

}  // namespace

HgnetParts hgnet_parts(const ModelConfig& c, std::int64_t outputs, Generator& generator) {
  HgnetParts parts{.input_dropout = c.input_dropout, .edge_dropout = c.edge_dropout};
  if (reads_edge_rows(c)) {
    parts.encoder = node_encoder(c, generator);
    // Features of edges are averaged also where their weights are summed.
    const EdgePooling pooling = c.molecule ? c.edge_weights : EdgePooling::kMean;
    parts.edges = EdgeLevels(c.edge_inputs, c.hidden, c.levels, pooling, generator);
  }
  for (int l = 0; l <= c.levels; ++l) {
    const std::int64_t in = l == 0 && !reads_edge_rows(c) ? c.inputs : c.hidden;
    parts.blocks.emplace_back(make_layer(layer_options(c, in, c.hidden), generator),
                              BlockOptions{tail_of(c)});
    if (l < c.levels) parts.pools.push_back(make_pool(c.coarsening, pool_options(c, l), generator));
  }
  for (int l = 0; l < c.levels; ++l) {
    // The final result has no activation, except for molecules, where it has one unless it is the
    // prediction.
    const bool active = l > 0 || (c.molecule && c.task == Task::kGraph);
    LayerOptions layer = layer_options(c, c.hidden, l == 0 ? outputs : c.hidden);
    layer.edge_rows = false;  // joins of a layer read none
    parts.joins.push_back(
        make_join(c.join, {layer, c.aggregation, BlockOptions{tail_of(c, active)}}, generator));
  }
  return parts;
}

/// g-U-Net (Gao and Ji): GCN with A + 2I, top-k pools over squared graphs, rows put back in place
/// plus x_l, GCN; activation on every level except on the final result.
HgnetParts g_unet_parts(const ModelConfig& c, std::int64_t outputs, Generator& generator) {
  HgnetParts parts{.input_dropout = c.input_dropout, .edge_dropout = c.edge_dropout};
  const auto gcn = [](std::int64_t in, std::int64_t out) {
    return LayerOptions{.in = in, .out = out, .fill = SelfLoopFill::kTwo};
  };
  for (int l = 0; l <= c.levels; ++l) {
    parts.blocks.emplace_back(make_layer(gcn(l == 0 ? c.inputs : c.hidden, c.hidden), generator),
                              BlockOptions{tail_of(c)});
    if (l < c.levels)
      parts.pools.push_back(make_pool(Coarsening::kTopK, pool_options(c, l), generator));
  }
  for (int l = 0; l < c.levels; ++l) {
    const JoinOptions options{.layer = gcn(c.hidden, l == 0 ? outputs : c.hidden),
                              .block = {l == 0 ? TailOptions{} : tail_of(c)}};
    parts.joins.push_back(make_join(JoinKind::kSum, options, generator));
  }
  return parts;
}

}  // namespace hgnet
