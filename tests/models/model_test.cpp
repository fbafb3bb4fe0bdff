#include "hgnet/models/model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "models/model_inputs.hpp"
#include "support/errors.hpp"
#include "support/gradients.hpp"
#include "support/graphs.hpp"
#include "support/model_configs.hpp"

namespace hgnet {
namespace {

using test::all_models;
using test::expect_close;
using test::expect_gradients_match_differences;
using test::input_of;
using test::kNodes;
using test::random_tensor;
using test::ring;
using test::small;
using test::small_hgnet;
using test::three_graphs;
using testing::AllOf;
using testing::HasSubstr;
using torch::Tensor;

// ---------------------------------------------------------------- inputs

Input three_graph_input(const Model& model, torch::ScalarType type = torch::kFloat32) {
  return input_of(model, three_graphs(), random_tensor({kNodes, 5}, 1).to(type));
}

bool same_weights(const Model& a, const Model& b) {
  const auto ours = a.named_parameters();
  const auto theirs = b.named_parameters();
  if (ours.size() != theirs.size()) return false;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (ours[i].key() != theirs[i].key() || !ours[i].value().equal(theirs[i].value())) return false;
  }
  return true;
}

void expect_model_gradients(const ModelConfig& config) {
  Model model(config, 3);
  model.to(torch::kFloat64);
  const Tensor x = random_tensor({kNodes, 5}, 1).set_requires_grad(true);
  const Input input = input_of(model, three_graphs(), x);
  expect_gradients_match_differences(model, {x}, [&] { return model.forward(input); });
}

// ---------------------------------------------------------------- permutations

using Permutation = std::vector<NodeId>;  // node v becomes node permutation[v]

Permutation random_permutation(NodeId size, std::uint64_t seed) {
  Permutation result(size);
  std::iota(result.begin(), result.end(), 0);
  Generator(seed).shuffle<NodeId>(result);
  return result;
}

Graph permuted(const Graph& graph, const Permutation& permutation) {
  EdgeList list;
  for (NodeId v = 0; v < graph.num_nodes(); ++v) {
    for (EdgeId s = graph.offsets()[v]; s < graph.offsets()[v + 1]; ++s) {
      list.source.push_back(permutation[graph.columns()[s]]);
      list.target.push_back(permutation[v]);
      if (graph.has_weights()) list.weight.push_back(graph.weights()[s]);
    }
  }
  return Graph::from_edges(graph.num_nodes(), list, {.self_loops = SelfLoops::kKeep});
}

/// The same levels over permuted nodes; coarse nodes are again numbered by smallest member.
Hierarchy permuted(const Hierarchy& hierarchy, Permutation permutation) {
  Hierarchy result(permuted(hierarchy.graph(0), permutation));
  for (int level = 0; level < hierarchy.num_levels(); ++level) {
    const ParentMap& parent = hierarchy.parent(level);
    std::vector<NodeId> labels(parent.num_children());
    for (NodeId v = 0; v < parent.num_children(); ++v) labels[permutation[v]] = parent.parent(v);
    const ParentMap renumbered = ParentMap::from_labels(labels);
    Permutation above(parent.num_parents());
    for (NodeId v = 0; v < parent.num_children(); ++v)
      above[parent.parent(v)] = renumbered.parent(permutation[v]);
    result.add({renumbered, permuted(hierarchy.graph(level + 1), above)});
    permutation = above;
  }
  return result;
}

/// Row v becomes row permutation[v].
Tensor permuted_rows(const Tensor& rows, const Permutation& permutation) {
  Tensor result = torch::empty_like(rows);
  for (std::int64_t v = 0; v < rows.size(0); ++v) result[permutation[v]] = rows[v];
  return result;
}

// ---------------------------------------------------------------- what every model does

TEST(Model, EveryOneBuildsAndGivesARowForEachNodeOrGraph) {
  for (auto [name, config] : all_models()) {
    SCOPED_TRACE(name);
    for (const Task task : {Task::kNode, Task::kGraph}) {
      config.task = task;
      const auto model = make_model(config, 1);
      const Tensor y = model->forward(three_graph_input(*model));
      EXPECT_EQ(y.sizes(), (std::vector<std::int64_t>{task == Task::kNode ? kNodes : 3, 4}));
      EXPECT_TRUE(y.isfinite().all().item<bool>());
      EXPECT_EQ(model->config(), config);
      EXPECT_THAT(model->describe(),
                  AllOf(HasSubstr(config.model + ", " + std::string(enum_name(task)) + " task"),
                        HasSubstr("parameters: " + std::to_string(model->num_parameters())),
                        HasSubstr("receptive field: " + model->receptive_field().text)));
      EXPECT_GT(model->num_parameters(), 0);
      EXPECT_GT(model->receptive_field().at_least, 0);
    }
  }
}

TEST(Model, GradientsMatchDifferencesWithoutNorm) {
  for (auto [name, config] : all_models()) {
    SCOPED_TRACE(name);
    config.task = config.model == "gcn" ? Task::kGraph : Task::kNode;
    expect_model_gradients(config);
  }
}

TEST(Model, GradientsMatchDifferencesWithBatchNorm) {
  for (auto [name, config] : all_models()) {
    SCOPED_TRACE(name);
    config.task = Task::kGraph;
    config.norm = Norm::kBatch;
    expect_model_gradients(config);
  }
}

TEST(Model, GradientsMatchDifferencesWithEveryOption) {
  std::vector<ModelConfig> configs;
  for (const Readout readout : {Readout::kSum, Readout::kMax}) {
    configs.push_back(small("gcn"));
    configs.back().task = Task::kGraph;
    configs.back().readout = readout;
  }
  configs.push_back(small("gcn"));
  configs.back().inputs = 5;
  configs.back().hidden = 5;  // as wide as the features: two residuals
  configs.back().layers = 3;
  configs.back().residual = true;
  configs.push_back(small("cheb"));
  configs.back().cheb_order = 4;
  configs.push_back(small("gin"));
  configs.back().trainable_eps = true;
  configs.push_back(small("gat"));
  configs.back().last_heads = 3;
  configs.push_back(small_hgnet(Coarsening::kEdgePool));
  configs.back().aggregation = Aggregation::kMean;
  configs.back().self_loops = SelfLoops::kKeep;
  configs.push_back(small_hgnet(Coarsening::kLouvain));
  configs.back().edge_weights = EdgePooling::kSum;
  for (const ModelConfig& config : configs) {
    SCOPED_TRACE(to_json(config));
    expect_model_gradients(config);
  }
}

/// Heads that are all alike give what one of them gives.
TEST(Model, TheLengthOfADirectionDoesNotMatter) {
  for (const auto& [name, config] : all_models()) {
    SCOPED_TRACE(name);
    Model model(config, 3);
    model.eval();
    const Input input = three_graph_input(model);
    const Tensor y = model.forward(input);
    const std::vector<Tensor> directions = model.directions();
    EXPECT_EQ(!directions.empty(), name == "g-unet" || name.find("top-k") != name.npos);
    const torch::NoGradGuard no_grad;
    for (Tensor p : directions) {
      p.mul_(4);
      expect_close(model.forward(input), y, 1e-6);
    }
  }
}

TEST(Model, LastHeadsOfANodeTaskAreAveraged) {
  ModelConfig config = small("gat");
  Model one(config, 1);
  config.last_heads = 3;
  Model three(config, 1);
  const torch::NoGradGuard no_grad;
  const auto narrow = one.named_parameters();
  for (const auto& item : three.named_parameters()) {
    const Tensor& of_one = narrow[item.key()];
    const bool wider = item.value().size(0) != of_one.size(0);
    item.value().copy_(wider ? torch::cat({of_one, of_one, of_one}) : of_one);
  }
  const Graph graph = ring(9, 2);
  const Tensor x = random_tensor({graph.num_nodes(), config.inputs}, 1).to(torch::kFloat32);
  const Tensor y = three.forward(Input::of(three.prepare(graph), x));
  EXPECT_EQ(y.size(1), config.outputs);
  expect_close(y, one.forward(Input::of(one.prepare(graph), x)), 1e-5);
}

TEST(Model, PermutedNodesGivePermutedRows) {
  const Graph graph = ring(17, 4);
  const Permutation permutation = random_permutation(graph.num_nodes(), 5);
  const Tensor x = random_tensor({graph.num_nodes(), 5}, 1);
  for (auto [name, config] : all_models()) {
    SCOPED_TRACE(name);
    for (const Task task : {Task::kNode, Task::kGraph}) {
      config.task = task;
      config.norm = Norm::kBatch;
      Model model(config, 1);
      model.to(torch::kFloat64);
      const Hierarchy hierarchy = model.prepare(graph);
      const Tensor y = model.forward(Input::of(hierarchy, x));
      const Tensor z =
          model.forward(Input::of(permuted(hierarchy, permutation), permuted_rows(x, permutation)));
      expect_close(z, task == Task::kNode ? permuted_rows(y, permutation) : y, 1e-9);
    }
  }
}

TEST(Model, ABatchGivesTheRowsOfItsGraphs) {
  const std::vector<Graph> graphs = three_graphs();
  for (auto [name, config] : all_models()) {
    SCOPED_TRACE(name);
    for (const Task task : {Task::kNode, Task::kGraph}) {
      config.task = task;
      config.norm = Norm::kBatch;
      Model model(config, 1);
      model.to(torch::kFloat64);
      const Tensor x = random_tensor({kNodes, 5}, 1);
      const Input batch = input_of(model, graphs, x);
      for (int step = 0; step < 3; ++step)
        model.forward(batch);  // for meaningful running statistics
      model.eval();
      std::vector<Tensor> alone;
      std::int64_t first = 0;
      for (const Graph& graph : graphs) {
        alone.push_back(
            model.forward(Input::of(model.prepare(graph), x.narrow(0, first, graph.num_nodes()))));
        first += graph.num_nodes();
      }
      expect_close(model.forward(batch), torch::cat(alone), 1e-10);
    }
  }
}

TEST(Model, TheSeedDecidesTheWeights) {
  for (auto [name, config] : all_models()) {
    SCOPED_TRACE(name);
    config.task = Task::kGraph;
    Model model(config, 7);
    Model same(config, 7);
    Model other(config, 8);
    EXPECT_TRUE(same_weights(model, same));
    EXPECT_FALSE(same_weights(model, other));
    const Tensor y = model.forward(three_graph_input(model));
    EXPECT_TRUE(y.equal(same.forward(three_graph_input(same))));
    EXPECT_FALSE(y.equal(other.forward(three_graph_input(other))));
  }
}

// ---------------------------------------------------------------- dropout

using SetDropout = std::function<void(ModelConfig&)>;

std::vector<SetDropout> kinds_of_dropout(const ModelConfig& config) {
  std::vector<SetDropout> kinds{[](ModelConfig& c) { c.dropout = 0.5; },
                                [](ModelConfig& c) { c.input_dropout = 0.4; },
                                [](ModelConfig& c) { c.edge_dropout = 0.3; },
                                [](ModelConfig& c) { c.classifier_dropout = 0.5; }};
  if (config.model == "gat" || config.layer == LayerKind::kGat)
    kinds.push_back([](ModelConfig& c) { c.attention_dropout = 0.4; });
  return kinds;
}

TEST(ModelDropout, EachKindActsWhileTrainingAndOnlyThen) {
  for (auto [name, plain] : all_models()) {
    SCOPED_TRACE(name);
    plain.task = Task::kGraph;
    Model reference(plain, 1);
    reference.eval();
    const Tensor expected = reference.forward(three_graph_input(reference));
    for (const SetDropout& set : kinds_of_dropout(plain)) {
      ModelConfig config = plain;
      set(config);
      SCOPED_TRACE(to_json(config));
      Model model(config, 1);
      const Input input = three_graph_input(model);
      const Tensor once = model.forward(input);
      EXPECT_FALSE(once.equal(expected));
      EXPECT_FALSE(once.equal(model.forward(input)));
      model.eval();
      EXPECT_TRUE(model.forward(input).equal(expected));
    }
  }
}

TEST(ModelDropout, IsRepeatableFromTheSeedAndTheGenerator) {
  for (auto [name, config] : all_models()) {
    SCOPED_TRACE(name);
    config.task = Task::kGraph;
    for (const SetDropout& set : kinds_of_dropout(config)) set(config);
    Model model(config, 7);
    Model same(config, 7);
    const Input input = three_graph_input(model);
    for (int step = 0; step < 3; ++step)
      EXPECT_TRUE(model.forward(input).equal(same.forward(input))) << "step " << step;
    const Generator kept = model.generator();
    const Tensor y = model.forward(input);
    model.generator() = kept;
    EXPECT_TRUE(model.forward(input).equal(y));
  }
}

// ---------------------------------------------------------------- inputs that do not match

TEST(Model, RefusesInputsItIsNotMadeFor) {
  Model model(small("gcn"), 1);
  const Graph graph = ring(6, 2);
  const auto refusal = [&](const Input& input) {
    return test::error_of<InvalidGraph>([&] { model.forward(input); });
  };
  EXPECT_THAT(refusal(Input::of(Hierarchy(graph), torch::ones({5, 5}))),
              HasSubstr("5 feature rows for 6 nodes"));
  EXPECT_THAT(refusal(Input::of(Hierarchy(graph), torch::ones({6, 3}))),
              HasSubstr("features have width 3, the model takes 5"));
  EXPECT_THAT(refusal({torch::ones({6, 5}), Hierarchy(graph), ParentMap::identity(5)}),
              HasSubstr("graph_of_node must name the graph of every node"));
  EXPECT_THAT(
      refusal({torch::ones({6, 5}), Hierarchy(graph), ParentMap({0, 0, 0, kNoNode, 0, 0}, 1)}),
      HasSubstr("graph_of_node must name the graph of every node"));
  EXPECT_THAT(test::error_of<c10::Error>(
                  [&] { model.forward(Input::of(Hierarchy(graph), torch::ones({6}))); }),
              HasSubstr("features: must have shape [nodes, width]"));
  Model louvain(small("hgnet-louvain"), 1);
  EXPECT_THAT(
      test::error_of<InvalidHierarchy>([&] {
        louvain.forward(Input::of(Hierarchy(graph), torch::ones({6, 5})));
      }),
      HasSubstr("needs coarse level 1 of each graph (got 0 levels); Model::prepare makes them"));
}

TEST(Model, PreparesTheLevelsOfStaticCoarsenings) {
  const Graph graph = ring(13, 4);
  for (const auto& [coarsening, name] : EnumNames<Coarsening>::values) {
    SCOPED_TRACE(name);
    const bool is_static = coarsening != Coarsening::kEdgePool && coarsening != Coarsening::kTopK;
    const Hierarchy hierarchy = Model(small_hgnet(coarsening), 1).prepare(graph);
    EXPECT_EQ(hierarchy.num_levels(), is_static ? 2 : 0);
    if (is_static) {
      EXPECT_LT(hierarchy.graph(1).num_nodes(), graph.num_nodes());
    }
  }
}

TEST(Model, ReceptiveFieldCountsHops) {
  ModelConfig config = small("cheb");
  config.layers = 3;
  config.cheb_order = 4;
  EXPECT_EQ(Model(config, 1).receptive_field().at_least, 9);
  EXPECT_TRUE(Model(config, 1).receptive_field().bounded);
  EXPECT_FALSE(Model(small("gcn-vn"), 1).receptive_field().bounded);
  EXPECT_FALSE(Model(small("hgnet"), 1).receptive_field().bounded);
}

/// Finds what a node depends on by changing one feature of another node.
TEST(Model, FlatModelsHearExactlyAsFarAsTheySay) {
  EdgeList path;
  for (int v = 0; v + 1 < 12; ++v) {
    path.source.push_back(v);
    path.target.push_back(v + 1);
  }
  const Graph graph = Graph::from_edges(12, path);
  for (const char* name : {"gcn", "gat", "cheb", "gin"}) {
    SCOPED_TRACE(name);
    ModelConfig config = small(name);
    config.layers = 3;
    Model model(config, 1);
    const std::int64_t reach = model.receptive_field().at_least;
    const Tensor x = torch::ones({12, 5});
    Tensor moved = x.clone();
    moved[0] += 1;
    const Tensor difference = (model.forward(Input::of(Hierarchy(graph), x)) -
                               model.forward(Input::of(Hierarchy(graph), moved)))
                                  .abs()
                                  .amax(1);
    EXPECT_GT(difference[reach].item<double>(), 0);
    EXPECT_EQ(difference[reach + 1].item<double>(), 0);
  }
}

}  // namespace
}  // namespace hgnet
