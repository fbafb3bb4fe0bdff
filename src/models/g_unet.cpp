#include "core/text.hpp"
#include "hgnet/graph/edge_dropout.hpp"
#include "hgnet/models/network.hpp"
#include "hgnet/nn/gcn.hpp"
#include "hgnet/nn/top_k_pool.hpp"
#include "hgnet/ops/segment.hpp"
#include "models/keep.hpp"

namespace hgnet {
namespace {

/// g-U-Net (Gao and Ji). Down, l = 0 .. L: x_l = act(GCN(G_l, x)); if l < L: square the graph, keep the best nodes. Up, l =
/// L-1 .. 0: rows back in place, zeros elsewhere, plus x_l, GCN; activation on every level but l = 0. GCN with A + 2I.
class GUnet : public Network {
 public:
  GUnet(const ModelConfig& config, std::int64_t outputs, Generator& generator) : config_(config) {
    const TailOptions tail{config.norm, config.activation, config.dropout};
    std::int64_t width = config.inputs;
    for (int l = 0; l <= config.levels; ++l) {
      const std::string number = std::to_string(l);
      down_.push_back(register_module(
          "down" + number,
          GcnLayer(GcnOptions{width, config.hidden, SelfLoopFill::kTwo}, generator)));
      down_tails_.push_back(register_module("down_tail" + number, Tail(config.hidden, tail)));
      width = config.hidden;
      if (l < config.levels)
        pools_.push_back(
            register_module("pool" + number, TopKPool(width, keep_of(config.keep[l]), generator)));
    }
    for (int l = 0; l < config.levels; ++l) {
      const std::string number = std::to_string(l);
      const std::int64_t out = l == 0 ? outputs : config.hidden;
      up_.push_back(register_module(
          "up" + number, GcnLayer(GcnOptions{width, out, SelfLoopFill::kTwo}, generator)));
      up_tails_.push_back(
          register_module("up_tail" + number, Tail(out, l == 0 ? TailOptions{} : tail)));
    }
  }

  torch::Tensor forward(const Input& input, Generator& generator) override {
    const double edge_dropout = is_training() ? config_.edge_dropout : 0.0;
    Graph graph = drop_edges(input.hierarchy.graph(0), edge_dropout, generator);
    Features x = input.x.dropped(draw_dropout(config_.input_dropout, is_training(), generator));
    ParentMap graph_of_node = input.graph_of_node;
    std::vector<Graph> graphs;
    std::vector<torch::Tensor> rows;
    std::vector<ParentMap> parents;
    for (int l = 0; l <= config_.levels; ++l) {
      torch::Tensor y = down_tails_[l]->forward(down_[l]->propagate(graph, x, {}, generator),
                                                down_[l]->bias, generator);
      graphs.push_back(graph);
      rows.push_back(y);
      x = y;
      if (l == config_.levels) break;
      const PooledLevel pooled = pools_[l]->forward(graph, y, graph_of_node);
      rows.back() = pooled.fine;
      parents.push_back(pooled.level.parent);
      graph_of_node = graph_of_coarse_node(pooled.level.parent, graph_of_node);
      graph = pooled.level.graph;
      x = pooled.x;
    }
    torch::Tensor y = rows.back();
    for (int l = config_.levels - 1; l >= 0; --l) {
      x = add_gathered(rows[l], y, parents[l]);
      y = up_tails_[l]->forward(up_[l]->propagate(graphs[l], x, {}, generator), up_[l]->bias,
                                generator);
    }
    return y;
  }

  std::int64_t width() const override {
    return up_.empty() ? down_.front()->width() : up_.front()->width();
  }

  std::vector<std::string> structure() const override {
    std::vector<std::string> lines;
    for (std::size_t l = 0; l < down_.size(); ++l) {
      const std::string level = std::to_string(l);
      lines.push_back("down " + level + ": " + down_[l]->text() + down_tails_[l]->text());
      if (l < pools_.size())
        lines.push_back("pool " + level + ": squared graph, keep " + short_number(config_.keep[l]));
    }
    for (std::size_t l = up_.size(); l-- > 0;)
      lines.push_back("up " + std::to_string(l) + ": " + up_[l]->text() + up_tails_[l]->text());
    return lines;
  }

  ReceptiveField receptive_field() const override {
    return {2, false,
            "2 hops at level 0; each squaring doubles a hop's reach, up to " +
                std::to_string(std::int64_t{1} << config_.levels) + " at level " +
                std::to_string(config_.levels) + ", among the nodes that are kept"};
  }

 private:
  ModelConfig config_;
  std::vector<GcnLayer> down_;
  std::vector<Tail> down_tails_;
  std::vector<TopKPool> pools_;
  std::vector<GcnLayer> up_;
  std::vector<Tail> up_tails_;
};

}  // namespace

std::shared_ptr<Network> make_g_unet(const ModelConfig& config, std::int64_t outputs,
                                     Generator& generator) {
  return std::make_shared<GUnet>(config, outputs, generator);
}

}  // namespace hgnet
