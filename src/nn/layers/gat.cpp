#include "hgnet/nn/layers/gat.hpp"

#include "hgnet/core/text.hpp"
#include "hgnet/nn/init.hpp"
#include "hgnet/nn/tail.hpp"
#include "hgnet/ops/attention.hpp"

namespace hgnet {

GatLayerImpl::GatLayerImpl(const GatOptions& options, Generator& generator) : options_(options) {
  const std::int64_t heads = options.heads;
  const std::int64_t channels = options.channels;
  weight = register_parameter("weight", init::glorot({heads * channels, options.in}, options.in,
                                                     heads * channels, generator));
  source =
      register_parameter("source", init::glorot({heads, channels}, heads, channels, generator));
  target =
      register_parameter("target", init::glorot({heads, channels}, heads, channels, generator));
  bias = register_parameter("bias", torch::zeros({heads * channels}, torch::kFloat32));
}

torch::Tensor GatLayerImpl::propagate(const LayerInput& input, Generator& generator) {
  auto& [graph, x, edges, parents] = input;
  const std::int64_t heads = options_.heads;
  const torch::Tensor h =
      x.is_sparse() ? x.times(weight) : x.keep_rows(small_linear_and_rows(x.dense(), weight));
  const HeadScores scores = head_scores(h, source, target);
  AttentionOptions options;
  const Dropout dropout = draw_dropout(options_.attention_dropout, is_training(), generator);
  if (dropout.p > 0) {
    options.keep =
        dropout_factors({graph.num_edges() + graph.num_nodes(), heads}, dropout, h.scalar_type());
  }
  return attention(graph, scores.x, scores.source, scores.target, options);
}

std::string GatLayerImpl::text() const {
  return "gat " + widths(options_.in, width()) + " (" + std::to_string(options_.heads) +
         (options_.heads == 1 ? " head" : " heads") +
         (options_.attention_dropout > 0
              ? ", attention dropout " + short_number(options_.attention_dropout)
              : "") +
         ")";
}

}  // namespace hgnet
