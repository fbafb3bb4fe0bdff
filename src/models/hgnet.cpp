#include "hgnet/models/hgnet.hpp"

#include "hgnet/core/text.hpp"
#include "hgnet/nn/features.hpp"
#include "models/start.hpp"

namespace hgnet {
HgnetNetwork::HgnetNetwork(HgnetParts parts)
    : blocks_(std::move(parts.blocks)),
      pools_(std::move(parts.pools)),
      joins_(std::move(parts.joins)),
      input_dropout_(parts.input_dropout),
      edge_dropout_(parts.edge_dropout) {
  if (blocks_.size() != pools_.size() + 1 || joins_.size() != pools_.size())
    throw Error("hgnet: L levels need L + 1 blocks, L pools and L joins (got " +
                std::to_string(blocks_.size()) + ", " + std::to_string(pools_.size()) + ", " +
                std::to_string(joins_.size()) + ")");
  if (parts.edges) {
    const EncoderNames names = encoder_names(parts.edges->of_bonds());
    encoder_ = register_module(names.nodes, parts.encoder);
    edges_ = register_module(names.edges, parts.edges);
  }
  for (std::size_t l = 0; l < blocks_.size(); ++l) {
    register_module("coarsen" + std::to_string(l), blocks_[l]);
    if (l < pools_.size()) register_module("pool" + std::to_string(l), pools_[l]);
  }
  for (std::size_t l = 0; l < joins_.size(); ++l)
    register_module("refine" + std::to_string(l), joins_[l]);
}

PoolLevel HgnetNetwork::first_level(const Input& input, Generator& generator) const {
  PoolLevel level;
  level.graph = start_graph(input, edge_dropout_, is_training(), generator);
  level.graph_of_node = input.graph_of_node;
  if (edges_) level.edges = edges_->of_input(level.graph);
  return level;
}

PoolLevel HgnetNetwork::next_level(const PoolLevel& level, const Pooled& pooled) const {
  PoolLevel next{level.number + 1, pooled.level.graph,
                 graph_of_coarse_node(pooled.level.parent, level.graph_of_node), pooled.order,
                 pooled.x};
  if (edges_) next.edges = edges_->of_level(next.number, level.edges, level.graph, pooled.level);
  return next;
}

torch::Tensor HgnetNetwork::forward(const Input& input, Generator& generator) {
  const int top = num_levels();
  std::vector<FineLevel> fine(top);
  PoolLevel level = first_level(input, generator);
  Features x = start_rows(input, input_dropout_, is_training(), encoder_, generator);
  for (int l = 0; l < top; ++l) {
    const torch::Tensor rows =
        blocks_[l]->forward({level.graph, x, level.edges}, generator, input.at_a_time);
    const Pooled pooled = pools_[l]->forward(level, rows, input.hierarchy);
    fine[l] = {level.graph,  pooled.fine, pooled.level.parent,
               pooled.score, level.edges, input.at_a_time};
    level = next_level(level, pooled);
    x = pooled.x;
  }
  torch::Tensor y =
      blocks_[top]->forward({level.graph, x, level.edges}, generator, input.at_a_time);
  for (int l = top - 1; l >= 0; --l) y = joins_[l]->forward(fine[l], y, generator);
  return y;
}

std::int64_t HgnetNetwork::width() const {
  return joins_.empty() ? blocks_.front()->width() : joins_.front()->block->width();
}

std::vector<torch::Tensor> HgnetNetwork::first_layer_parameters() const {
  return encoder_ ? encoder_->parameters() : blocks_.front()->layer->parameters();
}

std::vector<std::string> HgnetNetwork::structure() const {
  std::vector<std::string> lines;
  if (edges_) {
    const EncoderNames names = encoder_names(edges_->of_bonds());
    lines.push_back(names.nodes + ": " + encoder_->text());
    lines.push_back(names.edges + ": encoder, above it a linear of pooled rows");
  }
  for (std::size_t l = 0; l < blocks_.size(); ++l) {
    const std::string number = std::to_string(l);
    lines.push_back("coarsen " + number + ": " + blocks_[l]->text());
    if (l < pools_.size()) lines.push_back("pool " + number + ": " + pools_[l]->text());
  }
  for (std::size_t l = joins_.size(); l-- > 0;)
    lines.push_back("refine " + std::to_string(l) + ": " + joins_[l]->text());
  return lines;
}

ReceptiveField HgnetNetwork::receptive_field() const {
  const int top = num_levels();
  const std::int64_t hops =
      blocks_.front()->layer->hops() + (top == 0 ? 0 : joins_.front()->block->layer->hops());
  std::string text = std::to_string(hops) + " hops at level 0";
  if (top > 0)
    text += ", and as many at each of the " + std::to_string(top) +
            (top == 1 ? " level" : " levels") + " above; " + pools_.front()->reach(top);
  return {hops, top == 0, text};
}

}  // namespace hgnet
