// Models whose layers read features of edges.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "hgnet/config/edge_use.hpp"
#include "hgnet/graph/batch.hpp"
#include "hgnet/models/archive.hpp"
#include "hgnet/models/hgnet.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/gradients.hpp"
#include "support/model_configs.hpp"

namespace hgnet {
namespace {

using test::NamedConfig;
using test::random_tensor;
using test::small;
using test::small_hgnet;
using testing::ElementsAre;
using testing::HasSubstr;
using torch::Tensor;

constexpr std::int64_t kEdgeInputs = 3;

/// A ring with chords, and rows of numbers on its edges.
Graph edge_ring(NodeId num_nodes, NodeId chord, std::uint64_t seed, bool weights = false) {
  EdgeList list;
  Generator generator(seed);
  list.row_width = kEdgeInputs;
  for (NodeId v = 0; v < num_nodes; ++v) {
    for (const NodeId step : {NodeId{1}, chord}) {
      list.source.push_back(v);
      list.target.push_back((v + step) % num_nodes);
      if (weights) list.weight.push_back(0.5F + static_cast<float>(generator.uniform()));
      for (std::int64_t c = 0; c < kEdgeInputs; ++c)
        list.rows.push_back(static_cast<float>(generator.uniform() - 0.5));
    }
  }
  return Graph::from_edges(num_nodes, list);
}

/// One of them has no edges.
std::vector<Graph> three_edge_rings() {
  return {edge_ring(23, 5, 1), Graph::from_edges(1, {}), edge_ring(17, 4, 2)};
}
constexpr std::int64_t kRingsNodes = 41;

Input joined_input(const Model& model, const std::vector<Graph>& graphs, Features x) {
  std::vector<Hierarchy> parts;
  for (const Graph& graph : graphs) parts.push_back(model.prepare(graph));
  std::vector<const Hierarchy*> pointers;
  for (const Hierarchy& part : parts) pointers.push_back(&part);
  return {std::move(x), Hierarchy::joined(pointers),
          Batch(std::span<const Graph>(graphs)).graph_of_node()};
}

std::vector<NamedConfig> edge_models() {
  std::vector<NamedConfig> all;
  for (const char* name : {"gcn", "gcn-vn", "gin", "gin-vn"}) all.push_back({name, small(name)});
  for (const Coarsening coarsening :
       {Coarsening::kEdgePool, Coarsening::kLouvain, Coarsening::kHeavyEdge, Coarsening::kRandom}) {
    for (const auto& [join, join_name] : EnumNames<JoinKind>::values)
      all.push_back({std::string(enum_name(coarsening)) + ", join " + join_name,
                     small_hgnet(coarsening, LayerKind::kGcn, join)});
  }
  for (NamedConfig& named : all) named.config.edge_inputs = kEdgeInputs;
  return all;
}

TEST(EdgeFeatures, AreTakenByTheseModels) {
  std::vector<std::string> takers;
  for (const std::string& name : model_names()) {
    ModelConfig config = model_defaults(name);
    config.inputs = 5;
    config.outputs = 4;
    if (takes_edge_rows(config)) takers.push_back(name);
    config.edge_inputs = kEdgeInputs;
    EXPECT_EQ(reads_edge_rows(config), takes_edge_rows(config));
    if (takes_edge_rows(config)) {
      EXPECT_NO_THROW(check(config)) << name;
    } else {
      EXPECT_THAT(test::error_of<NoEffect>([&] { check(config); }),
                  HasSubstr("edge-inputs has no effect here; it is for gcn and gin"));
    }
  }
  EXPECT_THAT(takers, ElementsAre("gcn", "gcn-vn", "gin", "gin-vn", "hgnet", "hgnet-edgepool",
                                  "hgnet-louvain", "hgnet-heavy-edge", "hgnet-random", "wl"));
  EXPECT_FALSE(takes_edge_rows(small_hgnet(Coarsening::kEdgePool, LayerKind::kGat)));
}

TEST(EdgeFeatures, GradientsMatchDifferences) {
  for (const Norm norm : {Norm::kNone, Norm::kBatch}) {
    for (auto [name, config] : edge_models()) {
      SCOPED_TRACE(name + ", norm " + std::string(enum_name(norm)));
      config.norm = norm;
      config.activation = Activation::kElu;
      Model model(config, 3);
      model.to(torch::kFloat64);
      const Tensor x = random_tensor({kRingsNodes, 5}, 1).set_requires_grad(true);
      const Input input = joined_input(model, three_edge_rings(), x);
      test::expect_gradients_match_differences(model, {x}, [&] { return model.forward(input); });
      for (const auto& parameter : model.named_parameters())
        EXPECT_TRUE(parameter.value().grad().defined()) << parameter.key();
    }
  }
}

TEST(EdgeFeatures, PredictionsHaveBothSigns) {
  for (const auto& [name, config] : edge_models()) {
    ASSERT_EQ(config.task, Task::kNode);
    float low = 0;
    float high = 0;
    for (const std::uint64_t seed : {1, 2, 3, 4}) {
      Model model(config, seed);
      const Input input = joined_input(model, three_edge_rings(),
                                       random_tensor({kRingsNodes, 5}, 1).to(torch::kFloat32));
      const Tensor logits = model.forward(input);
      low = std::min(low, logits.min().item<float>());
      high = std::max(high, logits.max().item<float>());
    }
    EXPECT_LT(low, 0) << name;
    EXPECT_GT(high, 0) << name;
  }
}

TEST(EdgeFeatures, ABatchGivesTheRowsOfItsGraphs) {
  const std::vector<Graph> graphs = three_edge_rings();
  for (auto [name, config] : edge_models()) {
    SCOPED_TRACE(name);
    config.task = Task::kGraph;
    config.norm = Norm::kBatch;
    Model model(config, 1);
    const Tensor x = random_tensor({kRingsNodes, 5}, 1).to(torch::kFloat32);
    const Input batch = joined_input(model, graphs, x);
    for (int step = 0; step < 3; ++step) model.forward(batch);
    model.eval();
    std::vector<Tensor> alone;
    std::int64_t first = 0;
    for (const Graph& graph : graphs) {
      alone.push_back(
          model.forward(Input::of(model.prepare(graph), x.narrow(0, first, graph.num_nodes()))));
      first += graph.num_nodes();
    }
    EXPECT_TRUE(model.forward(batch).allclose(torch::cat(alone), 1e-4, 1e-4));
  }
}

TEST(EdgeFeatures, MatterWhereTheyAreReadAndOnlyThere) {
  const Graph graph = edge_ring(23, 5, 1);
  const Graph other = edge_ring(23, 5, 9);
  const Tensor x = random_tensor({23, 5}, 1).to(torch::kFloat32);
  for (auto [name, config] : edge_models()) {
    SCOPED_TRACE(name);
    for (const std::int64_t inputs : {kEdgeInputs, std::int64_t{0}}) {
      config.edge_inputs = inputs;
      Model model(config, 1);
      model.eval();
      EXPECT_EQ(model.forward(Input::of(model.prepare(graph), x))
                    .equal(model.forward(Input::of(model.prepare(other), x))),
                inputs == 0);
    }
  }
}

TEST(EdgeFeatures, GoWithSparseRowsDropoutOfEdgesAndWeights) {
  std::vector<EdgeId> offsets;
  std::vector<NodeId> columns;
  for (NodeId v = 0; v < 23; ++v) {
    offsets.push_back(v);
    columns.push_back(v % 5);
  }
  offsets.push_back(23);
  const SparseMatrix x(5, offsets, columns, std::vector<float>(23, 1.0F));
  for (auto [name, config] : edge_models()) {
    SCOPED_TRACE(name);
    config.edge_dropout = 0.3;
    Model model(config, 1);
    const Tensor y = model.forward(Input::of(model.prepare(edge_ring(23, 5, 1, true)), x));
    y.square().sum().backward();
    for (const auto& parameter : model.named_parameters())
      EXPECT_TRUE(parameter.value().grad().isfinite().all().item<bool>()) << parameter.key();
  }
}

template <class Part>
Part& part(const Model& model, const std::string& name) {
  for (const auto& item : model.named_modules("", false)) {
    if (item.key() == "network." + name) return dynamic_cast<Part&>(*item.value());
  }
  throw Error("no part " + name);
}

/// A row for every coarse edge: the mean over all fine edges that go from its one end to the other.
Tensor pooled_rows(const Tensor& rows, const Graph& fine, const Level& level) {
  std::vector<Tensor> result;
  for (NodeId to = 0; to < level.graph.num_nodes(); ++to) {
    for (const NodeId from : level.graph.neighbours(to)) {
      std::vector<Tensor> inside;
      for (NodeId v = 0; v < fine.num_nodes(); ++v) {
        for (EdgeId s = fine.offsets()[v]; s < fine.offsets()[v + 1]; ++s) {
          if (level.parent.parent(v) == to && level.parent.parent(fine.columns()[s]) == from)
            inside.push_back(rows[s]);
        }
      }
      result.push_back(torch::stack(inside).mean(0));
    }
  }
  return torch::stack(result);
}

Tensor linear(const LinearImpl& layer, const Tensor& x) {
  return x.mm(layer.weight.t()) + layer.bias;
}

/// HGNet level by level, with rows of coarse edges from a look at every fine edge.
Tensor hgnet_rows(const Model& model, const Hierarchy& prepared, const Tensor& features) {
  Generator generator(1);
  const int top = model.config().levels;
  const auto& encoder = part<EdgeEncoderImpl>(model, "edges.encoder");
  std::vector<Graph> graphs{prepared.graph(0)};
  const Graph& input = graphs.front();
  const Tensor f = torch::from_blob(const_cast<float*>(input.edge_rows().data()),
                                    {input.num_edges(), kEdgeInputs}, torch::kFloat32)
                       .clone();
  std::vector<Tensor> edges{f.mm(encoder.embedding) + encoder.bias};
  std::vector<Tensor> rows;
  std::vector<Pooled> pooled;
  NodeOrder order;
  Tensor x = features.mm(part<NodeEncoderImpl>(model, "nodes").embedding);
  for (int l = 0; l <= top; ++l) {
    auto& block = part<BlockImpl>(model, "coarsen" + std::to_string(l));
    rows.push_back(block.tail->forward(block.layer->forward(graphs[l], x, {edges[l]}, generator),
                                       {}, generator));
    if (l == top) break;
    const ParentMap one(std::vector<NodeId>(graphs[l].num_nodes(), 0), 1);
    pooled.push_back(
        part<Pool>(model, "pool" + std::to_string(l))
            .forward({l, graphs[l], one, order, l > 0 ? x : Tensor()}, rows[l], prepared));
    const auto& above = part<LinearImpl>(model, "edges.linear" + std::to_string(l + 1));
    edges.push_back(linear(above, pooled_rows(edges[l], graphs[l], pooled[l].level)));
    graphs.push_back(pooled[l].level.graph);
    order = pooled[l].order;
    x = pooled[l].x;
  }
  Tensor y = rows[top];
  for (int l = top - 1; l >= 0; --l) {
    auto& block = part<BlockImpl>(model, "refine" + std::to_string(l) + ".block");
    const Tensor above = pooled[l].score.defined() ? y / pooled[l].score.unsqueeze(1) : y;
    y = block.tail->forward(block.layer->forward(graphs[l], rows[l], {edges[l]}, generator,
                                                 {above, pooled[l].level.parent}),
                            {}, generator);
  }
  return y;
}

TEST(EdgeFeatures, OfCoarseEdgesArePooledFromEncodedRows) {
  for (const Coarsening coarsening : {Coarsening::kEdgePool, Coarsening::kLouvain}) {
    // Sums of weights, as weighted Louvain has them, are no sums of features.
    for (const EdgePooling weights : {EdgePooling::kMean, EdgePooling::kSum}) {
      SCOPED_TRACE(enum_name(coarsening));
      ModelConfig config = small_hgnet(coarsening, LayerKind::kGcn, JoinKind::kParent);
      config.edge_inputs = kEdgeInputs;
      config.edge_weights = weights;
      Model model(config, 5);
      model.eval();
      const torch::NoGradGuard no_grad;
      const Hierarchy prepared = model.prepare(edge_ring(23, 5, 1));
      const Tensor x = random_tensor({23, 5}, 1).to(torch::kFloat32);
      EXPECT_TRUE(model.node_rows(Input::of(prepared, x))
                      .allclose(hgnet_rows(model, prepared, x), 1e-4, 1e-4));
    }
  }
}

TEST(EdgeFeatures, AreSavedWithTheModel) {
  const test::TemporaryFolder folder;
  for (const auto& [name, config] : edge_models()) {
    SCOPED_TRACE(name);
    Model model(config, 1);
    save_model(model, folder.path() / "model.safetensors");
    const auto read = load_model(folder.path() / "model.safetensors");
    model.eval();
    read->eval();
    const Input input = Input::of(model.prepare(edge_ring(23, 5, 1)),
                                  random_tensor({23, 5}, 1).to(torch::kFloat32));
    EXPECT_TRUE(read->forward(input).equal(model.forward(input)));
  }
}

TEST(EdgeFeatures, OfAnotherWidthAreRefused) {
  for (const auto& [name, config] : edge_models()) {
    ModelConfig wider = config;
    wider.edge_inputs = 4;
    Model model(wider, 1);
    EXPECT_THAT(
        test::error_of<InvalidGraph>([&] {
          model.forward(Input::of(model.prepare(edge_ring(23, 5, 1)), torch::zeros({23, 5})));
        }),
        HasSubstr("edges: edge rows have width 3; expected 4"))
        << name;
  }
}

}  // namespace
}  // namespace hgnet
