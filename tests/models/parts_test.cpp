// Layers that compute the rows of all nodes in parts.

#include <gmock/gmock.h>

#include "hgnet/core/error.hpp"
#include "hgnet/graph/generators.hpp"
#include "models/model_inputs.hpp"
#include "support/errors.hpp"
#include "support/model_configs.hpp"

namespace hgnet {
namespace {

using namespace test;  // NOLINT

torch::Tensor random_rows(std::int64_t rows, std::int64_t width) {
  const torch::Tensor x = torch::empty({rows, width});
  Generator generator(5);
  for (std::int64_t i = 0; i < x.numel(); ++i)
    x.data_ptr<float>()[i] = static_cast<float>(generator.uniform() - 0.5);
  return x;
}

/// The same rows, whatever is computed at a time.
void expect_same_in_parts(Model& model, Input input) {
  const torch::NoGradGuard no_grad;
  model.eval();
  const torch::Tensor whole = model.forward(input);
  for (const std::int64_t at_a_time : {1, 40, 150}) {
    input.at_a_time = at_a_time;
    expect_close(model.forward(input), whole, 1e-6);
  }
}

TEST(Parts, GiveTheRowsOfTheWholeForEveryModel) {
  for (auto& [name, config] : all_models()) {
    SCOPED_TRACE(name);
    const auto model = make_model(config, 1);
    expect_same_in_parts(*model,
                         input_of(*model, three_graphs(), random_rows(kNodes, config.inputs)));
  }
}

TEST(Parts, GiveTheRowsOfTheWholeWithNormsResidualsAndMeans) {
  ModelConfig flat = small("gin");
  flat.norm = Norm::kBatch;
  flat.layers = 3;
  flat.residual = true;
  ModelConfig mean = small("hgnet-louvain");
  mean.aggregation = Aggregation::kMean;
  mean.norm = Norm::kBatch;
  for (const ModelConfig& config : {flat, mean}) {
    SCOPED_TRACE(config.model);
    const auto model = make_model(config, 1);
    const Input input =
        input_of(*model, three_graphs(), Features(to_sparse(random_rows(kNodes, config.inputs))));
    model->train();
    model->forward(input);  // running statistics that are not the first ones
    expect_same_in_parts(*model, input);
  }
}

TEST(Parts, GiveTheRowsOfTheWholeForSelfLoopsWeightsAndRowsOfEdges) {
  EdgeList list;
  Generator generator(2);
  for (int i = 0; i < 60; ++i) {
    list.source.push_back(static_cast<std::int64_t>(generator.below(25)));
    list.target.push_back(
        static_cast<std::int64_t>(i % 9 == 0 ? list.source.back() : generator.below(25)));
    list.weight.push_back(static_cast<float>(generator.uniform() + 0.1));
    for (int c = 0; c < 2; ++c) list.rows.push_back(static_cast<float>(generator.uniform()));
  }
  list.row_width = 2;
  const Graph graph = Graph::from_edges(25, list, {.self_loops = SelfLoops::kKeep});
  std::vector<NamedConfig> all = all_models();
  for (const char* name : {"gcn", "gin"}) {
    all.push_back({std::string(name) + " with rows of edges", small(name)});
    all.back().config.edge_inputs = 2;
  }
  all.push_back({"hgnet with rows of edges",
                 small_hgnet(Coarsening::kLouvain, LayerKind::kGcn, JoinKind::kParent)});
  all.back().config.edge_inputs = 2;
  for (auto& [name, config] : all) {
    SCOPED_TRACE(name);
    if (config.model == "g-unet" || config.coarsening == Coarsening::kTopK) continue;  // no weights
    const auto model = make_model(config, 1);
    expect_same_in_parts(*model, Input::of(model->prepare(graph), random_rows(25, config.inputs)));
  }
}

TEST(Parts, AreOnlyForLayersThatReachOneEdge) {
  ModelConfig config = small("cheb");
  config.cheb_order = 3;
  const auto model = make_model(config, 1);
  Input input = input_of(*model, three_graphs(), random_rows(kNodes, config.inputs));
  input.at_a_time = 20;
  model->eval();
  const torch::NoGradGuard no_grad;
  EXPECT_THAT(error_of<Error>([&] { model->forward(input); }),
              testing::HasSubstr("reaches 2 edges far"));
}

TEST(Parts, AreNotUsedWhileGradientsAreNeeded) {
  const auto model = make_model(small("gcn"), 1);
  Input input = input_of(*model, three_graphs(), random_rows(kNodes, 5));
  input.at_a_time = 10;
  model->eval();
  EXPECT_TRUE(model->forward(input).requires_grad());
}

}  // namespace
}  // namespace hgnet
