#include "hgnet/train/probe.hpp"

#include <gmock/gmock.h>

#include "hgnet/graph/algorithms.hpp"
#include "hgnet/graph/generators.hpp"

namespace hgnet {
namespace {

ModelConfig config(const std::string& model, int depth) {
  ModelConfig c = model_defaults(model);
  c.inputs = 2;
  c.outputs = 3;
  c.hidden = 6;
  (c.model == "hgnet" ? c.levels : c.layers) = depth;
  c.activation = Activation::kElu;
  return c;
}

Input on_grid(const Model& model) {
  const Graph grid = grid_graph(7, 7);
  torch::manual_seed(4);
  return Input::of(model.prepare(grid), torch::randn({49, 2}));
}

/// |J| by central differences of the whole model.
double numeric(Model& model, const Input& input, NodeId target, NodeId source) {
  model.to(torch::kFloat64);
  const torch::Tensor x = input.x.dense().to(torch::kFloat64);
  const torch::NoGradGuard no_grad;
  double sum = 0;
  for (int f = 0; f < 2; ++f) {
    const auto row = [&](double step) {
      torch::Tensor moved = x.clone();
      moved[source][f] += step;
      return model.node_rows({moved, input.hierarchy, input.graph_of_node})[target];
    };
    sum += ((row(1e-5) - row(-1e-5)) / 2e-5).abs().sum().item<double>();
  }
  model.to(torch::kFloat32);
  return sum / 3;
}

TEST(Probe, AgreesWithFiniteDifferences) {
  for (const std::string name : {"gcn", "hgnet-louvain"}) {
    Model model(config(name, 2), 1);
    model.eval();
    const Input input = on_grid(model);
    const NodeId target = 24;
    Influence influence;
    probe(model, input, std::vector<NodeId>{target}, influence);
    const auto distance = breadth_first_distances(input.hierarchy.graph(0), target);
    for (std::size_t d = 0; d < influence.mean.size(); ++d) {
      double sum = 0;
      std::int64_t pairs = 0;
      for (NodeId u = 0; u < 49; ++u) {
        if (distance[u] != static_cast<int>(d)) continue;
        sum += numeric(model, input, target, u);
        ++pairs;
      }
      ASSERT_EQ(influence.pairs[d], pairs);
      EXPECT_NEAR(influence.mean[d], sum / static_cast<double>(pairs), 1e-4 * (1 + sum))
          << name << " at " << d;
    }
  }
}

TEST(Probe, FlatModelsEndAtTheirDepth) {
  for (const int layers : {1, 2, 3}) {
    Model model(config("gcn", layers), 1);
    Influence influence;
    probe(model, on_grid(model), std::vector<NodeId>{0, 24, 48}, influence);
    ASSERT_EQ(influence.mean.size(), 13U);  // corner to corner
    for (int d = 0; d < 13; ++d) EXPECT_EQ(influence.mean[d] > 0, d <= layers) << d;
  }
}

TEST(Probe, AHierarchyReachesFarther) {
  Model model(config("hgnet-edgepool", 3), 1);
  Influence influence;
  probe(model, on_grid(model), std::vector<NodeId>{0, 24, 48}, influence);
  EXPECT_GT(influence.mean[6], 0);
}

// Of one target, the means by distance give the same as the sum over nodes.
TEST(Probe, RhoIsTheDistanceWeightedByInfluence) {
  for (const char* name : {"gcn", "hgnet-edgepool"}) {
    Model model(config(name, 3), 1);
    for (const NodeId target : {0, 24}) {
      Influence influence;
      probe(model, on_grid(model), std::vector<NodeId>{target}, influence);
      double weighted = 0;
      double sum = 0;
      for (std::size_t d = 0; d < influence.mean.size(); ++d) {
        const double all = influence.mean[d] * static_cast<double>(influence.pairs[d]);
        weighted += all * static_cast<double>(d);
        sum += all;
      }
      ASSERT_EQ(influence.rho.size(), 1U);
      ASSERT_EQ(influence.rho[0].size(), 1U);
      EXPECT_NEAR(influence.rho[0][0], weighted / sum, 1e-9 * (1 + weighted));
      EXPECT_GT(influence.rho[0][0], 0);
    }
  }
  Model wl(config("wl", 2), 1);
  Influence influence;
  EXPECT_THROW(probe(wl, on_grid(wl), std::vector<NodeId>{0}, influence), Error);
}

TEST(Probe, SparseFeaturesAsWell) {
  Model model(config("gcn", 1), 1);
  Influence sparse;
  Influence dense;
  const Graph grid = grid_graph(3, 3);
  const std::vector<float> values{1, 0, 0, 2, 0, 0, 3, 1, 0, 0, 0, 1, 1, 1, 0, 0, 2, 0};
  probe(model, Input::of(Hierarchy(grid), SparseMatrix::from_dense(values, 9, 2)),
        std::vector<NodeId>{4}, sparse);
  probe(model, Input::of(Hierarchy(grid), torch::tensor(values).view({9, 2})),
        std::vector<NodeId>{4}, dense);
  EXPECT_EQ(sparse.mean, dense.mean);
  EXPECT_GT(dense.mean[1], 0);
}

}  // namespace
}  // namespace hgnet
