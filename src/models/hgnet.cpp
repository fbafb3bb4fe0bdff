// The HGNet frame: coarsening x layer going up x way of joining levels.

#include <optional>
#include "hgnet/coarsening/methods.hpp"

#include "core/text.hpp"
#include "hgnet/graph/edge_dropout.hpp"
#include "hgnet/models/network.hpp"
#include "hgnet/nn/edge_pool.hpp"
#include "hgnet/nn/molecule.hpp"
#include "hgnet/nn/rgcn.hpp"
#include "hgnet/nn/top_k_pool.hpp"
#include "hgnet/ops/segment.hpp"
#include "models/keep.hpp"

namespace hgnet {
namespace {

/// One level of the hierarchy with its rows, as the way up leaves them for the way down.
struct UpLevel {
  Graph graph;
  ParentMap graph_of_node;
  std::optional<Bonds> bonds;
  torch::Tensor x;      // x_l
  ParentMap parent;     // to the level above
  torch::Tensor score;  // of the level above: what its rows were multiplied with, or undefined
  NodeOrder order;      // edgepool: see there
};

CoarsenStep static_step(const ModelConfig& c) {
  const CoarsenOptions options{
      .seed = c.coarsening_seed,
      .edges = c.edge_weights,
      .partition = c.partition,
      .louvain_weights = c.weighted_louvain ? EdgeWeights::kOwn : EdgeWeights::kUnit};
  return coarsen_step(coarsening_method(enum_name(c.coarsening)), options);
}

/// Up, l = 0 .. L: x_l = dropout(act(norm(layer(G_l, x)))); if l < L: coarsen to G_{l+1}, pool x. Down, l = L-1 .. 0, from
/// x = x_L:
///   join rgcn    x = RGCN over G_l of x_l, each node linked to its parent's row x
///   join sum     x = layer(G_l, x_l + unpooled x)
///   join concat  x = layer(G_l, [x_l | unpooled x])
///   join parent  x = GCN over G_l of x_l with the parent's row as one more neighbour (molecules)
/// then norm; activation and dropout on every level but l = 0 (molecules: there too). Unpooled rows are the parents' rows,
/// divided by the score that EdgePool multiplied them with; join rgcn takes them as they are.
class HgnetNetwork : public Network {
 public:
  HgnetNetwork(const ModelConfig& config, std::int64_t outputs, Generator& generator)
      : config_(config) {
    std::int64_t width = config.inputs;
    if (config.molecule) {
      atoms_ = register_module("atoms", AtomEncoder(config.hidden, generator));
      width = config.hidden;
    }
    for (int l = 0; l <= config.levels; ++l) {
      add_up(l, width, generator);
      width = config.hidden;
      if (l < config.levels) add_pool(l, generator);
    }
    for (int l = 0; l < config.levels; ++l)
      add_down(l, l == 0 ? outputs : config.hidden, generator);
  }

  torch::Tensor forward(const Input& input, Generator& generator) override {
    std::vector<UpLevel> levels = go_up(input, generator);
    torch::Tensor x = levels.back().x;
    for (int l = config_.levels - 1; l >= 0; --l) x = go_down(l, levels[l], x, generator);
    return x;
  }

  std::int64_t width() const override { return width_; }

  Hierarchy prepare(const Graph& graph) const override {
    if (!is_static()) return Hierarchy(graph);
    return build_hierarchy_of_depth(graph, config_.levels, static_step(config_));
  }

  std::vector<std::string> structure() const override;
  ReceptiveField receptive_field() const override;

 private:
  bool is_static() const {
    return config_.coarsening != Coarsening::kEdgePool && config_.coarsening != Coarsening::kTopK;
  }

  TailOptions tail_options(bool active) const {
    return active ? TailOptions{config_.norm, config_.activation, config_.dropout}
                  : TailOptions{config_.norm, Activation::kNone, 0.0};
  }

  LayerOptions layer_options(std::int64_t in, std::int64_t out) const {
    LayerOptions o;
    o.kind = config_.layer;
    o.molecule = config_.molecule;
    o.in = in;
    o.out = out;
    o.heads = config_.heads;
    o.attention_dropout = config_.attention_dropout;
    o.cheb_order = config_.cheb_order;
    o.batch_norm = config_.norm == Norm::kBatch;
    o.trainable_eps = config_.trainable_eps;
    return o;
  }

  void add_up(int l, std::int64_t in, Generator& generator);
  void add_pool(int l, Generator& generator);
  void add_down(int l, std::int64_t out, Generator& generator);
  std::vector<UpLevel> go_up(const Input& input, Generator& generator);
  /// Rows of level l + 1; fills in what level l knows of it, and the level itself.
  torch::Tensor pool(int l, const Input& input, UpLevel& here, UpLevel& above);
  torch::Tensor go_down(int l, const UpLevel& level, const torch::Tensor& above,
                        Generator& generator);

  ModelConfig config_;
  std::int64_t width_ = 0;
  AtomEncoder atoms_{nullptr};
  // By level.
  std::vector<std::shared_ptr<GraphLayer>> up_;
  std::vector<Tail> up_tails_;
  std::vector<BondEncoder> up_bonds_;
  std::vector<EdgePool> edge_pools_;
  std::vector<TopKPool> top_k_pools_;
  std::vector<RgcnLayer> rgcns_;                    // join rgcn
  std::vector<std::shared_ptr<GraphLayer>> downs_;  // join sum, concat
  std::vector<ParentGcnLayer> parents_;             // join parent
  std::vector<BondEncoder> down_bonds_;
  std::vector<Tail> down_tails_;
};

void HgnetNetwork::add_up(int l, std::int64_t in, Generator& generator) {
  const std::string number = std::to_string(l);
  up_.push_back(
      register_module("up" + number, make_layer(layer_options(in, config_.hidden), generator)));
  up_tails_.push_back(
      register_module("up_tail" + number, Tail(config_.hidden, tail_options(true))));
  if (config_.molecule)
    up_bonds_.push_back(
        register_module("up_bonds" + number, BondEncoder(config_.hidden, l, generator)));
}

void HgnetNetwork::add_pool(int l, Generator& generator) {
  const std::string name = "pool" + std::to_string(l);
  if (config_.coarsening == Coarsening::kEdgePool) {
    const CoarseGraphOptions options{config_.self_loops, config_.edge_weights};
    edge_pools_.push_back(register_module(name, EdgePool(config_.hidden, options, generator)));
  } else if (config_.coarsening == Coarsening::kTopK) {
    top_k_pools_.push_back(
        register_module(name, TopKPool(config_.hidden, keep_of(config_.keep[l]), generator)));
  }
}

void HgnetNetwork::add_down(int l, std::int64_t out, Generator& generator) {
  const std::string name = "down" + std::to_string(l);
  const std::int64_t in = config_.hidden;
  switch (config_.join) {
    case Join::kRgcn:
      rgcns_.push_back(
          register_module(name, RgcnLayer(RgcnOptions{in, out, config_.aggregation}, generator)));
      break;
    case Join::kSum:
      downs_.push_back(register_module(name, make_layer(layer_options(in, out), generator)));
      break;
    case Join::kConcat:
      downs_.push_back(register_module(name, make_layer(layer_options(2 * in, out), generator)));
      break;
    case Join::kParent:
      parents_.push_back(register_module(name, ParentGcnLayer(in, out, generator)));
      if (config_.molecule)
        down_bonds_.push_back(
            register_module("down_bonds" + std::to_string(l), BondEncoder(in, l, generator)));
      break;
  }
  const bool active = l > 0 || (config_.molecule && config_.task == Task::kGraph);
  down_tails_.push_back(
      register_module("down_tail" + std::to_string(l), Tail(out, tail_options(active))));
  if (l == 0) width_ = out;
}

torch::Tensor HgnetNetwork::pool(int l, const Input& input, UpLevel& here, UpLevel& above) {
  torch::Tensor x;
  if (is_static()) {
    here.parent = input.hierarchy.parent(l);
    above.graph = input.hierarchy.graph(l + 1);
    x = segment_mean(here.x, here.parent);
  } else {
    PooledLevel pooled =
        config_.coarsening == Coarsening::kEdgePool
            ? edge_pools_[l]->forward(here.graph, here.x, here.order, config_.join != Join::kRgcn)
            : top_k_pools_[l]->forward(here.graph, here.x, here.graph_of_node);
    here.parent = std::move(pooled.level.parent);
    here.score = pooled.score;
    above.graph = std::move(pooled.level.graph);
    above.order = std::move(pooled.order);
    here.x = pooled.fine;
    x = pooled.x;
  }
  if (config_.coarsening == Coarsening::kTopK)
    above.graph_of_node = graph_of_coarse_node(here.parent, here.graph_of_node);
  return x;
}

std::vector<UpLevel> HgnetNetwork::go_up(const Input& input, Generator& generator) {
  std::vector<UpLevel> levels(config_.levels + 1);
  const double edge_dropout = is_training() ? config_.edge_dropout : 0.0;
  levels[0].graph = drop_edges(input.hierarchy.graph(0), edge_dropout, generator);
  levels[0].graph_of_node = input.graph_of_node;
  Features x = input.x.dropped(draw_dropout(config_.input_dropout, is_training(), generator));
  if (config_.molecule) x = atoms_->forward(x);
  for (int l = 0; l <= config_.levels; ++l) {
    UpLevel& here = levels[l];
    EdgeRows edges;
    if (config_.molecule) edges = up_bonds_[l]->forward(here.bonds.emplace(here.graph, l));
    here.x = up_tails_[l]->forward(up_[l]->propagate(here.graph, x, edges, generator), up_[l]->bias,
                                   generator);
    if (l < config_.levels) x = pool(l, input, here, levels[l + 1]);
  }
  return levels;
}

torch::Tensor HgnetNetwork::go_down(int l, const UpLevel& level, const torch::Tensor& above,
                                    Generator& generator) {
  if (config_.join == Join::kRgcn) {
    const torch::Tensor z = rgcns_[l]->propagate(level.graph, level.x, {above, level.parent});
    return down_tails_[l]->forward(z, rgcns_[l]->bias, generator);
  }
  const torch::Tensor unpooled =
      gather(level.score.defined() ? above / level.score.unsqueeze(1) : above, level.parent);
  if (config_.join == Join::kParent) {
    const EdgeRows edges = level.bonds ? down_bonds_[l]->forward(*level.bonds) : EdgeRows{};
    const torch::Tensor z = parents_[l]->propagate(level.graph, level.x, edges, unpooled);
    return down_tails_[l]->forward(z, parents_[l]->linear->bias, generator);
  }
  Features joined =
      config_.join == Join::kSum ? level.x + unpooled : torch::cat({level.x, unpooled}, 1);
  const torch::Tensor z = downs_[l]->propagate(level.graph, joined, {}, generator);
  return down_tails_[l]->forward(z, downs_[l]->bias, generator);
}

std::vector<std::string> HgnetNetwork::structure() const {
  std::vector<std::string> lines;
  if (config_.molecule) lines.push_back("atom encoder " + widths(kAtomWidth, config_.hidden));
  const std::string bonds = config_.molecule ? ", bond encoder" : "";
  for (std::size_t l = 0; l < up_.size(); ++l) {
    lines.push_back("up " + std::to_string(l) + ": " + up_[l]->text() + bonds +
                    up_tails_[l]->text());
    if (l + 1 < up_.size())
      lines.push_back("coarsen " + std::to_string(l) + ": " +
                      std::string(enum_name(config_.coarsening)) +
                      (is_static() ? ", mean of rows" : ""));
  }
  for (std::size_t l = down_tails_.size(); l-- > 0;) {
    const std::string layer = config_.join == Join::kRgcn     ? rgcns_[l]->text()
                              : config_.join == Join::kParent ? parents_[l]->text() + bonds
                                                              : downs_[l]->text();
    lines.push_back("down " + std::to_string(l) + ": " + layer + " (join " +
                    std::string(enum_name(config_.join)) + ")" + down_tails_[l]->text());
  }
  return lines;
}

ReceptiveField HgnetNetwork::receptive_field() const {
  const int top = config_.levels;
  const std::int64_t hops = up_.front()->hops() + (downs_.empty() ? 1 : downs_.front()->hops());
  const bool matching = config_.coarsening != Coarsening::kLouvain;
  std::string reach = config_.coarsening == Coarsening::kTopK
                          ? "each squaring doubles a hop's reach"
                      : matching ? "a node of level " + std::to_string(top) + " stands for up to " +
                                       std::to_string(std::int64_t{1} << top) + " nodes"
                                 : "a node of a coarse level stands for a whole community";
  return {hops, false,
          std::to_string(hops) + " hops at level 0, and as many at each of the " +
              std::to_string(top) + (top == 1 ? " level" : " levels") + " above; " + reach};
}

}  // namespace

std::shared_ptr<Network> make_hgnet(const ModelConfig& config, std::int64_t outputs,
                                    Generator& generator) {
  return std::make_shared<HgnetNetwork>(config, outputs, generator);
}

}  // namespace hgnet
