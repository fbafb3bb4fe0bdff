// GCN, GAT, ChebNet, GIN, with or without a virtual node; GCN and GIN also with rows of edges.

#include <optional>

#include "hgnet/core/text.hpp"
#include "hgnet/models/network.hpp"
#include "hgnet/nn/block.hpp"
#include "hgnet/nn/virtual_node.hpp"
#include "hgnet/ops/segment.hpp"
#include "models/layer_options.hpp"
#include "models/start.hpp"

namespace hgnet {
namespace {

/// x_l = block_l(G_0, x_{l-1}), l = 1 .. L; the last without activation and dropout (molecules:
/// without activation). In a node task, the last block's result is the prediction; GCN with rows of
/// edges, whose messages are never negative, ends in a linear layer of its own.
class FlatNetwork : public Network {
 public:
  FlatNetwork(const ModelConfig& config, std::int64_t outputs, Generator& generator)
      : config_(config),
        virtual_node_(model_row(config.model).virtual_node),
        names_(encoder_names(config.molecule)) {
    std::int64_t width = config.inputs;
    const bool edge_rows = reads_edge_rows(config);
    if (edge_rows) {
      encoder_ = register_module(names_.nodes, node_encoder(config, generator));
      width = config.hidden;
    }
    for (int l = 0; l < config.layers; ++l) {
      const std::string number = std::to_string(l);
      const bool last = l + 1 == config.layers;
      blocks_.push_back(register_module(
          "block" + number,
          Block(make_layer(layer_of_block(l, width, outputs), generator), block_options(last))));
      if (edge_rows)
        edges_.push_back(register_module(
            names_.edges + number,
            EdgeEncoder(config.edge_inputs, blocks_.back()->layer->edge_width(), generator)));
      width = blocks_.back()->width();
      if (virtual_node_ && !last) {
        const bool drops = config.molecule || config.virtual_node_dropout;
        const VirtualNodeOptions vn{width, config.norm, drops ? config.dropout : 0.0,
                                    config.virtual_node_residual};
        virtual_nodes_.push_back(
            register_module("virtual_node" + number, VirtualNode(vn, generator)));
      }
    }
    if (has_head()) head_ = register_module("head", Linear(config.hidden, outputs, generator));
    if (virtual_node_)
      start_ = register_parameter("virtual_node",
                                  torch::zeros({1, blocks_.front()->width()}, torch::kFloat32));
  }

  torch::Tensor forward(const Input& input, Generator& generator) override {
    const Graph graph = start_graph(input, config_.edge_dropout, is_training(), generator);
    Features x = start_rows(input, config_.input_dropout, is_training(), encoder_, generator);
    const EdgeRows inputs = encoder_ ? edge_inputs(graph, config_.edge_inputs) : EdgeRows();
    torch::Tensor vn;
    if (virtual_node_) vn = start_.expand({input.graph_of_node.num_parents(), -1});
    for (std::size_t l = 0; l < blocks_.size(); ++l) {
      const bool last = l + 1 == blocks_.size();
      if (virtual_node_ && config_.molecule)
        x = add_gathered(x.dense(), vn.contiguous(), input.graph_of_node);
      const EdgeRows edges = encoder_ ? edges_[l]->forward(inputs) : EdgeRows();
      torch::Tensor y = blocks_[l]->forward({graph, x, edges}, generator, input.at_a_time);
      if (virtual_node_ && !last) {
        // Molecules: from the input of the layer, for the next one. Otherwise: from its result, to
        // which it is added.
        const torch::Tensor rows = config_.molecule ? x.dense() : y;
        vn = virtual_nodes_[l]->forward(vn, rows, input.graph_of_node, generator);
        if (!config_.molecule) y = add_gathered(y, vn, input.graph_of_node);
      }
      x = y;
    }
    if (head_) return head_->forward(x);
    if (averaged_heads() == 1) return x.dense();
    return x.dense().view({-1, averaged_heads(), width()}).mean(1);
  }

  std::int64_t width() const override {
    return head_ ? head_->weight.size(0) : blocks_.back()->width() / averaged_heads();
  }

  std::vector<torch::Tensor> first_layer_parameters() const override {
    return encoder_ ? encoder_->parameters() : blocks_.front()->layer->parameters();
  }

  std::vector<std::string> structure() const override {
    std::vector<std::string> lines;
    if (encoder_) {
      lines.push_back(names_.nodes + ": " + encoder_->text());
      lines.push_back(names_.edges + ": an encoder for each layer");
    }
    for (std::size_t l = 0; l < blocks_.size(); ++l) {
      lines.push_back("layer " + std::to_string(l + 1) + ": " + blocks_[l]->text());
      if (l < virtual_nodes_.size()) lines.push_back("virtual node: " + virtual_nodes_[l]->text());
    }
    if (head_)
      lines.push_back("head: linear " + widths(head_->weight.size(1), head_->weight.size(0)));
    return lines;
  }

  ReceptiveField receptive_field() const override {
    std::int64_t hops = 0;
    for (const Block& block : blocks_) hops += block->layer->hops();
    const bool everything = virtual_node_ && blocks_.size() > 1;
    return {hops, !everything,
            std::to_string(hops) + (hops == 1 ? " hop" : " hops") +
                (everything ? ", and through the virtual node the sum over the whole graph" : "")};
  }

 private:
  bool has_head() const {
    return config_.task == Task::kNode && reads_edge_rows(config_) &&
           layer_of(config_) == LayerKind::kGcn;
  }

  /// The heads of the last layer of a node task, whose mean is the prediction.
  std::int64_t averaged_heads() const {
    return config_.task == Task::kNode && layer_of(config_) == LayerKind::kGat ? config_.last_heads
                                                                               : 1;
  }

  LayerOptions layer_of_block(int l, std::int64_t in, std::int64_t outputs) const {
    const bool to_outputs = l + 1 == config_.layers && config_.task == Task::kNode && !has_head();
    LayerOptions options = layer_options(config_, in, to_outputs ? outputs : config_.hidden);
    if (options.kind == LayerKind::kGat) {
      if (l > 0 && config_.later_heads > 0) options.heads = config_.later_heads;
      if (to_outputs) options.heads = config_.last_heads;
    }
    options.out *= options.heads;
    return options;
  }

  BlockOptions block_options(bool last) const {
    TailOptions tail{config_.norm, config_.activation, config_.dropout};
    if (last && config_.task == Task::kNode) tail = {};
    if (last && config_.task == Task::kGraph)
      tail = {config_.norm, Activation::kNone, config_.molecule ? config_.dropout : 0.0};
    return {tail, config_.residual, config_.broadcast_residual};
  }

  ModelConfig config_;
  bool virtual_node_;
  EncoderNames names_;
  NodeEncoder encoder_{nullptr};  // where layers read rows of edges
  std::vector<Block> blocks_;
  std::vector<EdgeEncoder> edges_;  // the same: one for each block
  std::vector<VirtualNode> virtual_nodes_;
  Linear head_{nullptr};
  torch::Tensor start_;  // the virtual node's initial row
};

}  // namespace

std::shared_ptr<Network> make_flat_network(const ModelConfig& config, std::int64_t outputs,
                                           Generator& generator) {
  return std::make_shared<FlatNetwork>(config, outputs, generator);
}

}  // namespace hgnet
