// GCN, GAT, ChebNet, GIN, with or without a virtual node, for features or for molecules.

#include <optional>

#include "core/text.hpp"
#include "hgnet/graph/edge_dropout.hpp"
#include "hgnet/models/network.hpp"
#include "hgnet/nn/molecule.hpp"
#include "hgnet/nn/virtual_node.hpp"
#include "hgnet/ops/segment.hpp"

namespace hgnet {
namespace {

struct Kind {
  LayerKind layer;
  bool virtual_node;
};

Kind kind_of(const std::string& model) {
  const bool virtual_node = model.ends_with("-vn");
  return {enum_value<LayerKind>(virtual_node ? model.substr(0, model.size() - 3) : model),
          virtual_node};
}

/// x_l = dropout(act(norm(layer_l(x_{l-1})))), l = 1 .. L; the last without activation and dropout (molecules: without
/// activation). In a node task the last layer gives the predictions, as they are.
class FlatNetwork : public Network {
 public:
  FlatNetwork(const ModelConfig& config, std::int64_t outputs, Generator& generator)
      : config_(config), kind_(kind_of(config.model)) {
    std::int64_t width = config.inputs;
    if (config.molecule) {
      atoms_ = register_module("atoms", AtomEncoder(config.hidden, generator));
      width = config.hidden;
    }
    for (int l = 0; l < config.layers; ++l) {
      const std::string number = std::to_string(l);
      const bool last = l + 1 == config.layers;
      layers_.push_back(
          register_module("layer" + number, make_layer(options(width, outputs, last), generator)));
      width = layers_.back()->width();
      tails_.push_back(register_module("tail" + number, Tail(width, tail_options(last))));
      if (config.molecule)
        bonds_.push_back(register_module("bonds" + number, BondEncoder(width, 0, generator)));
      if (kind_.virtual_node && !last) {
        const VirtualNodeOptions vn{width, config.norm, config.molecule ? config.dropout : 0.0};
        virtual_nodes_.push_back(
            register_module("virtual_node" + number, VirtualNode(vn, generator)));
      }
    }
    if (kind_.virtual_node)
      start_ = register_parameter("virtual_node", torch::zeros({1, layers_.front()->width()}));
  }

  torch::Tensor forward(const Input& input, Generator& generator) override {
    const double edge_dropout = is_training() ? config_.edge_dropout : 0.0;
    const Graph graph = drop_edges(input.hierarchy.graph(0), edge_dropout, generator);
    Features x = input.x.dropped(draw_dropout(config_.input_dropout, is_training(), generator));
    std::optional<Bonds> bonds;
    if (config_.molecule) {
      x = atoms_->forward(x);
      bonds.emplace(graph, 0);
    }
    torch::Tensor vn;
    if (kind_.virtual_node) vn = start_.expand({input.graph_of_node.num_parents(), -1});
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      const bool last = l + 1 == layers_.size();
      if (kind_.virtual_node && config_.molecule)
        x = add_gathered(x.dense(), vn.contiguous(), input.graph_of_node);
      const EdgeRows edges = bonds ? bonds_[l]->forward(*bonds) : EdgeRows{};
      const torch::Tensor z = layers_[l]->propagate(graph, x, edges, generator);
      torch::Tensor y = tails_[l]->forward(z, layers_[l]->bias, generator, residual(x, z));
      if (kind_.virtual_node && !last) {
        // Molecules: from the rows that went into the layer, for the next one. Else: from its result, added to it.
        const torch::Tensor rows = config_.molecule ? x.dense() : y;
        vn = virtual_nodes_[l]->forward(vn, rows, input.graph_of_node, generator);
        if (!config_.molecule) y = add_gathered(y, vn, input.graph_of_node);
      }
      x = y;
    }
    return x.dense();
  }

  std::int64_t width() const override { return layers_.back()->width(); }

  std::vector<std::string> structure() const override {
    std::vector<std::string> lines;
    if (config_.molecule) lines.push_back("atom encoder " + widths(kAtomWidth, config_.hidden));
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      lines.push_back("layer " + std::to_string(l + 1) + ": " + layers_[l]->text() +
                      (config_.molecule ? ", bond encoder" : "") + tails_[l]->text() +
                      (config_.residual ? ", residual" : ""));
      if (l < virtual_nodes_.size()) lines.push_back("virtual node: " + virtual_nodes_[l]->text());
    }
    return lines;
  }

  ReceptiveField receptive_field() const override {
    std::int64_t hops = 0;
    for (const auto& layer : layers_) hops += layer->hops();
    const bool everything = kind_.virtual_node && layers_.size() > 1;
    return {hops, !everything,
            std::to_string(hops) + (hops == 1 ? " hop" : " hops") +
                (everything ? ", and through the virtual node the sum over the whole graph" : "")};
  }

 private:
  LayerOptions options(std::int64_t in, std::int64_t outputs, bool last) const {
    const bool to_outputs = last && config_.task == Task::kNode;
    LayerOptions o;
    o.kind = kind_.layer;
    o.molecule = config_.molecule;
    o.in = in;
    o.heads = kind_.layer == LayerKind::kGat && to_outputs ? config_.last_heads : config_.heads;
    o.out = to_outputs ? outputs * o.heads : config_.hidden * o.heads;
    o.attention_dropout = config_.attention_dropout;
    o.cheb_order = config_.cheb_order;
    o.batch_norm = config_.norm == Norm::kBatch;
    o.trainable_eps = config_.trainable_eps;
    return o;
  }

  /// The rows that go past a layer, if there are any and they fit its result.
  torch::Tensor residual(const Features& x, const torch::Tensor& z) const {
    if (!config_.residual || x.width() != z.size(1)) return {};
    return x.is_sparse() ? x.times(torch::eye(x.width(), z.options())) : x.dense();
  }

  TailOptions tail_options(bool last) const {
    if (!last) return {config_.norm, config_.activation, config_.dropout};
    if (config_.task == Task::kNode) return {};
    return {config_.norm, Activation::kNone, config_.molecule ? config_.dropout : 0.0};
  }

  ModelConfig config_;
  Kind kind_;
  AtomEncoder atoms_{nullptr};
  std::vector<std::shared_ptr<GraphLayer>> layers_;
  std::vector<Tail> tails_;
  std::vector<BondEncoder> bonds_;
  std::vector<VirtualNode> virtual_nodes_;
  torch::Tensor start_;  // the virtual node's first row
};

}  // namespace

std::shared_ptr<Network> make_flat_network(const ModelConfig& config, std::int64_t outputs,
                                           Generator& generator) {
  return std::make_shared<FlatNetwork>(config, outputs, generator);
}

}  // namespace hgnet
