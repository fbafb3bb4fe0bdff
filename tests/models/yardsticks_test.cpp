#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hgnet/config/limits.hpp"
#include "hgnet/data/color_dataset.hpp"
#include "hgnet/data/sample_rows.hpp"
#include "hgnet/graph/generators.hpp"
#include "hgnet/models/archive.hpp"
#include "hgnet/models/model.hpp"
#include "hgnet/train/inputs.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/samples.hpp"

namespace hgnet {
namespace {

using test::error_of;
using testing::HasSubstr;

ColorConnectivity crossings(int radius) {
  return generate_color_connectivity(
      grid_graph(4 * radius + 12, 4 * radius + 11),
      {.num_samples = 12, .seed = 1, .task = ColorTask::kCrossing, .radius = radius});
}

ModelConfig graph_model(const std::string& name, int layers) {
  ModelConfig config = model_defaults(name);
  config.task = Task::kGraph;
  config.inputs = 1;
  config.outputs = 2;
  config.layers = layers;
  return config;
}

/// The largest difference between the logits of the two of a pair.
double difference_within_pairs(Model& model, const Dataset& dataset) {
  const FitInputs inputs(std::make_shared<const Dataset>(dataset), preparation_of(model.config()),
                         1);
  double most = 0;
  for (std::int64_t a = 0; a < dataset.num_graphs(); ++a) {
    for (std::int64_t b = 0; b < a; ++b) {
      if (dataset.groups[a] != dataset.groups[b]) continue;
      const std::int64_t both[] = {a, b};
      const torch::Tensor logits = evaluate(model, inputs, both, 2).to(torch::kFloat64);
      const double scale = logits.abs().max().item<double>();
      most = std::max(most, (logits[0] - logits[1]).abs().max().item<double>() / scale);
    }
  }
  return most;
}

// Weights are drawn at random: no weights tell the two apart.
TEST(FlatModels, AnswerTheTwoOfACrossingAlike) {
  for (const int radius : {1, 2, 3}) {
    const Dataset dataset = color_dataset(crossings(radius));
    for (const char* name : {"gcn", "gat", "cheb", "gin"}) {
      for (const Readout readout : {Readout::kMean, Readout::kSum, Readout::kMax}) {
        ModelConfig config = graph_model(name, radius);
        config.readout = readout;
        Model model(config, 7);
        EXPECT_LT(difference_within_pairs(model, dataset), 2e-6) << name << " " << radius;
      }
    }
  }
  // One that sees further can.
  ModelConfig deep = graph_model("gin", 8);
  deep.readout = Readout::kMax;
  Model model(deep, 7);
  EXPECT_GT(difference_within_pairs(model, color_dataset(crossings(1))), 1e-4);
}

TEST(Wl, CountsThePairsOfACrossingAlike) {
  const Dataset dataset = color_dataset(crossings(2));
  const auto difference = [&](int rounds) {
    Model model(graph_model("wl", rounds), 1);
    const std::vector<std::int64_t> all{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    model.learn_colours(colour_rows(dataset, rounds), all);
    const torch::NoGradGuard no_grad;
    for (torch::Tensor& p : model.parameters()) p.normal_();
    return difference_within_pairs(model, dataset);
  };
  EXPECT_LT(difference(2), 1e-5);
  EXPECT_GT(difference(20), 1e-5);
}

TEST(Wl, TakesFeaturesOrCountsAndGivesTheSame) {
  const Dataset dataset = color_dataset(crossings(1));
  Model model(graph_model("wl", 2), 1);
  const std::vector<std::int64_t> train{0, 1, 2, 3, 4, 5};
  model.learn_colours(colour_rows(dataset, 2), train);
  const torch::NoGradGuard no_grad;
  for (torch::Tensor& p : model.parameters()) p.normal_();
  model.eval();
  const FitInputs counted(std::make_shared<const Dataset>(dataset), preparation_of(model.config()),
                          1);
  const std::vector<std::int64_t> samples{7, 2, 9};
  const BatchSource plain(dataset, [](const Graph& graph) { return Hierarchy(graph); });
  EXPECT_TRUE(torch::allclose(evaluate(model, counted, samples, 3),
                              model.forward(to_input(plain.join(samples)))));
}

/// Graphs of single nodes, of one kind each.
Dataset single_nodes(const std::vector<float>& kinds) {
  Dataset dataset;
  for (std::size_t g = 0; g < kinds.size(); ++g) {
    dataset.graphs.push_back(Graph::from_edges(1, {}));
    dataset.node_offsets.push_back(std::ssize(dataset.graphs));
  }
  dataset.features = DenseRows{1, kinds};
  return dataset;
}

TEST(Wl, HasAClassForRareColoursAndOneForThoseNotSeen) {
  // Kind 1 is told apart, 2 and 3 are rare; 4 and 5 are not among the training samples.
  const Dataset dataset = single_nodes({1, 1, 2, 3, 4, 5});
  ModelConfig config = graph_model("wl", 0);
  config.colours = 10;
  Model model(config, 1);
  const std::vector<std::int64_t> train{0, 1, 2, 3};
  model.learn_colours(colour_rows(dataset, 0), train);
  const torch::NoGradGuard no_grad;
  for (torch::Tensor& p : model.parameters()) p.normal_();
  const auto logits = [&](Model& of) {
    of.eval();
    const FitInputs inputs(std::make_shared<const Dataset>(dataset), preparation_of(of.config()),
                           1);
    return evaluate(of, inputs, std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}, 6);
  };
  const torch::Tensor rows = logits(model);
  EXPECT_TRUE(rows[2].equal(rows[3])) << "rare";
  EXPECT_TRUE(rows[4].equal(rows[5])) << "not seen";
  EXPECT_FALSE(rows[0].equal(rows[2]));
  EXPECT_FALSE(rows[2].equal(rows[4]));
  EXPECT_FALSE(rows[0].equal(rows[4]));
  const test::TemporaryFolder folder;
  save_model(model, folder.path() / "wl.safetensors");
  EXPECT_TRUE(logits(*load_model(folder.path() / "wl.safetensors")).equal(rows))
      << "a file of weights knows which were seen";
}

// Wl on nodes: a node's row follows from its own colours.
TEST(Wl, NodesWithTheSameSurroundingsGetTheSame) {
  ModelConfig config = model_defaults("wl");
  config.inputs = 1;
  config.outputs = 3;
  Model model(config, 1);
  const Graph grid = grid_graph(6, 6);
  const Input input = Input::of(model.prepare(grid), torch::ones({36, 1}));
  Dataset dataset;
  dataset.graphs = {grid};
  dataset.node_offsets = {0, 36};
  dataset.features = DenseRows{1, std::vector<float>(36, 1.0F)};
  std::vector<std::int64_t> all(36);
  for (std::int64_t v = 0; v < 36; ++v) all[v] = v;
  model.learn_colours(colour_rows(dataset, config.layers), all);
  const torch::NoGradGuard no_grad;
  for (torch::Tensor& p : model.parameters()) p.normal_();
  const torch::Tensor rows = model.forward(input);
  EXPECT_EQ(rows.sizes(), torch::IntArrayRef({36, 3}));
  EXPECT_TRUE(rows[0].equal(rows[35])) << "corners";
  EXPECT_TRUE(rows[14].equal(rows[15])) << "two from the border";
  EXPECT_FALSE(rows[0].equal(rows[14]));
  EXPECT_FALSE(rows[7].equal(rows[14]));
}

// As a file of weights may have it.
TEST(Wl, RefusesAListOfColoursThatIsNotInOrder) {
  ModelConfig config = model_defaults("wl");
  config.inputs = 1;
  config.outputs = 2;
  config.colours = 8;
  Model model(config, 1);
  const Input input = Input::of(model.prepare(grid_graph(3, 3)), torch::ones({9, 1}));
  torch::Tensor colours = model.named_buffers()["network.colours"];
  for (const torch::Tensor& list : {torch::arange(8, 0, -1), torch::full({8}, NAN)}) {
    colours.copy_(list);
    EXPECT_THAT(test::error_of<Error>([&] { model.forward(input); }),
                testing::HasSubstr("the list of colours of the model is not in order"));
  }
}

TEST(Yardsticks, HaveAsManyParametersAsTheirLimitSays) {
  for (const char* name : {"wl", "mlp"}) {
    for (const Task task : {Task::kNode, Task::kGraph}) {
      ModelConfig config = model_defaults(name);
      config.task = task;
      config.inputs = 50;
      config.outputs = 4;
      Model model(config, 1);
      const auto parameters = static_cast<double>(model.num_parameters());
      EXPECT_LE(least_parameters(config), parameters) << name;
      EXPECT_GE(1.1 * least_parameters(config), parameters) << name;
      EXPECT_FALSE(model.describe().empty());
    }
  }
}

TEST(Mlp, IsTwoLayersOnTheMeanOfRows) {
  const Dataset dataset = color_dataset(crossings(1));
  Model model(graph_model("mlp", 2), 1);
  const FitInputs pooled(std::make_shared<const Dataset>(dataset), preparation_of(model.config()),
                         1);
  const BatchSource plain(dataset, [](const Graph& graph) { return Hierarchy(graph); });
  const std::vector<std::int64_t> samples{3, 0};
  EXPECT_TRUE(torch::allclose(evaluate(model, pooled, samples, 2),
                              model.forward(to_input(plain.join(samples)))));
  EXPECT_EQ(model.num_parameters(), 128 + 128 + 2 * 128 + 2);
  ModelConfig config = graph_model("mlp", 2);
  config.readout = Readout::kMax;
  EXPECT_THAT(error_of<Error>([&] { check(config); }), HasSubstr("sum or the mean"));
}

}  // namespace
}  // namespace hgnet
