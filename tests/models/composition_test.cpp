// How models combine layers, seen from outside: what their rows look like and what they depend on.

#include <gtest/gtest.h>

#include <functional>

#include "hgnet/graph/batch.hpp"
#include "hgnet/graph/generators.hpp"
#include "hgnet/nn/virtual_node.hpp"
#include "support/gradients.hpp"
#include "support/model_configs.hpp"

namespace hgnet {
namespace {

using test::molecule_models;
using test::random_tensor;
using test::small;
using test::small_hgnet;
using torch::Tensor;

constexpr NodeId kRingNodes = 30;

/// Weights and bonds differ from edge to edge.
Graph grid_of_bonds() {
  const Graph grid = grid_graph(6, 5);
  EdgeList list;
  list.row_width = 3;
  for (NodeId v = 0; v < kRingNodes; ++v) {
    for (const NodeId u : grid.neighbours(v)) {
      if (u > v) continue;
      list.source.push_back(u);
      list.target.push_back(v);
      list.weight.push_back(0.5F + static_cast<float>((3 * u + v) % 7));
      for (const NodeId size : {5, 6, 2})
        list.rows.push_back(static_cast<float>((u + 2 * v) % size));
    }
  }
  return Graph::from_edges(kRingNodes, list);
}

Graph without_weights(const Graph& graph) {
  GraphParts parts = graph.parts();
  parts.weights.clear();
  return Graph::adopt(std::move(parts));
}

SparseMatrix atoms() {
  std::vector<EdgeId> offsets{0};
  std::vector<NodeId> columns;
  for (NodeId v = 0; v < kRingNodes; ++v) {
    std::int64_t first = 0;
    for (const std::int64_t size : kAtomColumns) {
      columns.push_back(static_cast<NodeId>(first + (7 * v + 3) % size));
      first += size;
    }
    offsets.push_back(static_cast<EdgeId>(columns.size()));
  }
  return {kAtomWidth, offsets, columns, std::vector<float>(columns.size(), 1.0F)};
}

Input input_of(const Model& model) {
  const Graph graph = grid_of_bonds();
  if (model.config().molecule) return Input::of(model.prepare(without_weights(graph)), atoms());
  return Input::of(model.prepare(graph), random_tensor({kRingNodes, 5}, 1).to(torch::kFloat32));
}

double share(const Tensor& mask) { return mask.to(torch::kFloat64).mean().item<double>(); }

// ---------------------------------------------------------------- after the last layer

TEST(LastLayer, OfHgnetsForMoleculesIsActive) {
  for (auto [name, config] : molecule_models()) {
    SCOPED_TRACE(name);
    const auto model = make_model(config, 1);
    const Tensor rows = model->node_rows(input_of(*model));
    if (config.model == "hgnet") {
      EXPECT_EQ(share(rows < 0), 0);
      EXPECT_GT(share(rows == 0), 0.2);
    } else {
      EXPECT_GT(share(rows < 0), 0.2);
      EXPECT_EQ(share(rows == 0), 0);
    }
  }
}

TEST(LastLayer, OfOtherModelsIsNot) {
  for (auto [name, config] : test::all_models()) {
    SCOPED_TRACE(name);
    config.activation = Activation::kRelu;
    for (const Task task : {Task::kNode, Task::kGraph}) {
      config.task = task;
      const auto model = make_model(config, 1);
      EXPECT_GT(share(model->node_rows(input_of(*model)) < 0), 0);
    }
  }
}

TEST(LastLayer, HasDropoutForMoleculesAlone) {
  for (auto [name, config] : molecule_models()) {
    SCOPED_TRACE(name);
    const auto plain = make_model(config, 1);
    const double zeros = share(plain->node_rows(input_of(*plain)) == 0);
    config.dropout = 0.5;
    const auto model = make_model(config, 1);
    EXPECT_NEAR(share(model->node_rows(input_of(*model)) == 0), zeros + 0.5 * (1 - zeros), 0.2);
  }
  for (auto [name, config] : test::named_models()) {
    SCOPED_TRACE(name);
    config.task = Task::kGraph;
    config.dropout = 0.5;
    const auto model = make_model(config, 1);
    EXPECT_EQ(share(model->node_rows(input_of(*model)) == 0), 0);
  }
}

/// Batch normalisation leaves columns of mean 0.
TEST(LastLayer, IsNormalisedButForPredictionsOfFlatModelsAndGUnets) {
  for (auto [name, config] : test::named_models()) {
    for (const Task task : {Task::kNode, Task::kGraph}) {
      config.task = task;
      config.norm = Norm::kBatch;
      SCOPED_TRACE(name + ", " + std::string(enum_name(task)) + " task");
      const auto model = make_model(config, 1);
      const Tensor means = model->node_rows(input_of(*model)).mean(0).abs();
      const bool plain =
          config.model == "g-unet" || (config.model != "hgnet" && task == Task::kNode);
      EXPECT_EQ(means.max().item<double>() > 1e-3, plain) << means;
    }
  }
}

// ---------------------------------------------------------------- what a row depends on

/// Whether the last node's row depends on the first node's features, 9 edges away.
bool hears_from_afar(ModelConfig config, int layers) {
  config.layers = layers;
  config.task = Task::kGraph;
  const auto model = make_model(config, 1);
  model->eval();  // batch norm statistics would carry information, too
  const Graph graph = without_weights(grid_of_bonds());
  const auto last_row = [&](const SparseMatrix& x) {
    return model->node_rows(Input::of(Hierarchy(graph), x))[kRingNodes - 1];
  };
  const auto of_first = [&](NodeId column) {
    // Every node has column 0, the first node another one.
    std::vector<EdgeId> offsets;
    for (NodeId v = 0; v <= kRingNodes; ++v) offsets.push_back(v);
    std::vector<NodeId> columns(kRingNodes, 0);
    columns[0] = column;
    return SparseMatrix(config.inputs, offsets, columns, std::vector<float>(kRingNodes, 1.0F));
  };
  return !last_row(of_first(0)).equal(last_row(of_first(1)));
}

TEST(VirtualNodes, CarryWhatAllNodesSayAfterEveryLayerButTheLast) {
  std::vector<ModelConfig> configs{small("gcn-vn"), small("gin-vn")};
  for (const auto& [name, config] : molecule_models()) {
    if (config.model.ends_with("-vn")) configs.push_back(config);
  }
  ASSERT_EQ(configs.size(), 4U);
  for (const ModelConfig& config : configs) {
    SCOPED_TRACE(config.model + (config.molecule ? " for molecules" : ""));
    EXPECT_FALSE(hears_from_afar(config, 1));
    EXPECT_TRUE(hears_from_afar(config, 2));
    ModelConfig without = config;
    without.model.resize(without.model.size() - 3);
    EXPECT_FALSE(hears_from_afar(without, 2));
  }
}

/// The parts of one kind, in the order of registration, except those inside a layer or a virtual
/// node.
template <class Part>
std::vector<Part*> parts(const torch::nn::Module& module) {
  std::vector<Part*> found;
  for (const auto& child : module.children()) {
    if (auto* part = dynamic_cast<Part*>(child.get())) {
      found.push_back(part);
    } else if (dynamic_cast<GraphLayer*>(child.get()) == nullptr &&
               dynamic_cast<VirtualNodeImpl*>(child.get()) == nullptr) {
      for (Part* inside : parts<Part>(*child)) found.push_back(inside);
    }
  }
  return found;
}

/// Before every layer, the graph's vn is added to its nodes; after every layer but the last, vn
/// takes up the layer's input rows.
Tensor molecule_rows(const Model& model, const Graph& graph, const ParentMap& graph_of_node) {
  Generator generator(1);
  const auto layers = parts<GraphLayer>(model);
  const auto tails = parts<TailImpl>(model);
  const auto encoders = parts<EdgeEncoderImpl>(model);
  const auto virtual_nodes = parts<VirtualNodeImpl>(model);
  const EdgeRows inputs = edge_inputs(graph, 0);
  Tensor x = parts<NodeEncoderImpl>(model).front()->forward(atoms());
  std::vector<std::int64_t> graph_index;
  for (const NodeId g : graph_of_node.parents()) graph_index.push_back(g);
  // Starts from the only parameter that is a single row.
  Tensor vn = torch::zeros({graph_of_node.num_parents(), x.size(1)});
  for (const auto& parameter : model.named_parameters()) {
    if (parameter.value().sizes() == torch::IntArrayRef({1, x.size(1)}))
      vn = vn + parameter.value();
  }
  for (std::size_t l = 0; l < layers.size(); ++l) {
    if (!virtual_nodes.empty()) x = x + vn.index_select(0, torch::tensor(graph_index));
    const Tensor into = x;
    x = layers[l]->forward(graph, x, encoders.at(l)->forward(inputs), generator);
    x = tails.at(l)->forward(x, {}, generator);
    if (l < virtual_nodes.size())
      vn = virtual_nodes[l]->forward(vn, into, graph_of_node, generator);
  }
  return x;
}

TEST(Molecules, GoFromLayerToLayer) {
  const Graph graph = without_weights(grid_of_bonds());
  std::vector<NodeId> halves;
  for (NodeId v = 0; v < kRingNodes; ++v) halves.push_back(v < 12 ? 0 : 1);
  const ParentMap graph_of_node(halves, 2);
  for (auto [name, config] : molecule_models()) {
    if (config.model == "hgnet") continue;
    SCOPED_TRACE(name);
    config.layers = 3;
    const auto model = make_model(config, 1);
    model->eval();
    const torch::NoGradGuard no_grad;
    std::uint64_t seed = 0;
    for (Tensor& parameter : model->parameters())
      parameter.copy_(0.5 * random_tensor(parameter.sizes(), ++seed));
    const Tensor got = model->node_rows({atoms(), Hierarchy(graph), graph_of_node});
    EXPECT_TRUE(got.allclose(molecule_rows(*model, graph, graph_of_node), 1e-4, 1e-4));
  }
}

TEST(VirtualNodes, HaveDropoutForMoleculesOrIfAskedFor) {
  std::vector<ModelConfig> configs{small("gcn-vn"), small("gin-vn")};
  for (const auto& [name, config] : molecule_models()) configs.push_back(config);
  for (ModelConfig& config : configs) {
    config.dropout = 0.5;
    const auto model = make_model(config, 1);
    for (const VirtualNodeImpl* node : parts<VirtualNodeImpl>(*model))
      EXPECT_EQ(node->text().ends_with("dropout 0.5"), config.molecule) << node->text();
    if (config.molecule) continue;
    config.virtual_node_dropout = true;
    const auto dropping = make_model(config, 1);
    for (const VirtualNodeImpl* node : parts<VirtualNodeImpl>(*dropping))
      EXPECT_TRUE(node->text().ends_with("dropout 0.5")) << node->text();
  }
}

// ---------------------------------------------------------------- readout

TEST(Readout, IsWhatItsNameSays) {
  const Graph graph = grid_graph(4, 3);
  const Graph twice = Batch::repeat(graph, 2).graph();
  const Tensor x = random_tensor({12, 5}, 1).to(torch::kFloat32);
  std::vector<Tensor> results;
  for (const Readout readout : {Readout::kMean, Readout::kSum, Readout::kMax}) {
    SCOPED_TRACE(enum_name(readout));
    ModelConfig config = small("gcn");
    config.task = Task::kGraph;
    config.readout = readout;
    const auto model = make_model(config, 1);
    const Tensor once = model->forward(Input::of(Hierarchy(graph), x));
    // Two copies as one graph: a mean or a maximum does not change.
    const Tensor both = model->forward(Input::of(Hierarchy(twice), torch::cat({x, x})));
    EXPECT_EQ(both.allclose(once, 1e-5, 1e-6), readout != Readout::kSum);
    results.push_back(once);
  }
  EXPECT_FALSE(results[0].allclose(results[2]));
  EXPECT_FALSE(results[0].allclose(results[1]));
}

// ---------------------------------------------------------------- settings

struct Change {
  std::string name;
  std::function<void(ModelConfig&)> set;
};

const std::vector<Change> kChanges{
    {"activation", [](ModelConfig& c) { c.activation = Activation::kLeakyRelu; }},
    {"norm", [](ModelConfig& c) { c.norm = Norm::kBatch; }},
    {"residual", [](ModelConfig& c) { c.residual = true; }},
    {"readout", [](ModelConfig& c) { c.readout = Readout::kMax; }},
    {"classifier-activation", [](ModelConfig& c) { c.classifier_activation = Activation::kNone; }},
    {"heads", [](ModelConfig& c) { c.heads = 3; }},
    {"last-heads", [](ModelConfig& c) { c.last_heads = 2; }},
    {"cheb-order", [](ModelConfig& c) { c.cheb_order = 4; }},
    {"trainable-eps", [](ModelConfig& c) { c.trainable_eps = true; }},
    {"aggregation", [](ModelConfig& c) { c.aggregation = Aggregation::kMean; }},
    {"self-loops", [](ModelConfig& c) { c.self_loops = SelfLoops::kKeep; }},
    {"edge-weights", [](ModelConfig& c) { c.edge_weights = EdgePooling::kSum; }},
    {"partition", [](ModelConfig& c) { c.partition = Partition::kBest; }},
    {"weighted-louvain", [](ModelConfig& c) { c.weighted_louvain = true; }},
    {"coarsening-seed", [](ModelConfig& c) { c.coarsening_seed = 5; }},
    {"keep",
     [](ModelConfig& c) {
       c.keep = {0.5, 2};
     }},
};

/// If no layer reads weights, or the coarsening uses heavy edges, there is no choice of weight
/// pooling.
bool pools_weights_by_choice(const ModelConfig& config) {
  return config.coarsening != Coarsening::kHeavyEdge &&
         (config.layer == LayerKind::kGcn || config.layer == LayerKind::kCheb);
}

bool is_allowed(const ModelConfig& config) {
  try {
    check(config);
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// The predictions with parameters that do not depend on how the model draws them.
Tensor prediction(const ModelConfig& config) {
  const auto model = make_model(config, 1);
  const torch::NoGradGuard no_grad;
  std::uint64_t seed = 0;
  for (Tensor& parameter : model->parameters())
    parameter.copy_(0.5 * random_tensor(parameter.sizes(), ++seed));
  return model->forward(input_of(*model));
}

TEST(Settings, ThatAModelAcceptsHaveAnEffect) {
  for (const auto& [change, set] : kChanges) {
    int models = 0;
    for (auto [name, plain] : test::all_models()) {
      for (const Task task : {Task::kNode, Task::kGraph}) {
        plain.task = task;
        if (change == "residual") plain.layers = 3;  // the middle layer's widths agree
        if (change == "weighted-louvain") plain.edge_weights = EdgePooling::kSum;
        ModelConfig config = plain;
        set(config);
        if (change == "edge-weights" && !pools_weights_by_choice(plain)) continue;
        if (config == plain || !is_allowed(plain) || !is_allowed(config)) continue;
        SCOPED_TRACE(change + " of " + name);
        EXPECT_FALSE(prediction(config).equal(prediction(plain)));
        ++models;
      }
    }
    EXPECT_GT(models, 0) << change;
  }
}

TEST(Settings, KeepIsAShareUpToOneAndACountAbove) {
  const auto kept = [](const std::vector<double>& keep) {
    ModelConfig config = small("g-unet");
    config.keep = keep;
    return prediction(config);
  };
  EXPECT_TRUE(kept({1, 1}).equal(kept({kRingNodes, kRingNodes})));
  EXPECT_TRUE(kept({0.5, 0.4}).equal(kept({15, 6})));
  EXPECT_FALSE(kept({0.5, 0.4}).equal(kept({15, 7})));
}

}  // namespace
}  // namespace hgnet
