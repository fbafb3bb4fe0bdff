#include "hgnet/nn/layers/gat.hpp"

#include <gtest/gtest.h>

#include "nn/checks.hpp"

namespace hgnet {
namespace {

using test::DenseGraph;
using torch::Tensor;

/// Node by node and head by head. Weights do not count; a node attends to itself once.
Tensor naive_gat(const DenseGraph& graph, const GatOptions& options, const Tensor& x,
                 const GatLayerImpl& layer) {
  std::vector<Tensor> heads;
  for (std::int64_t k = 0; k < options.heads; ++k) {
    const Tensor h =
        x.mm(layer.weight.narrow(0, k * options.channels, options.channels).t());  // [N, C]
    std::vector<Tensor> rows;
    for (std::int64_t v = 0; v < x.size(0); ++v) {
      std::vector<std::int64_t> from;
      for (std::int64_t u = 0; u < x.size(0); ++u) {
        if (u == v || graph.adjacency[u][v].item<double>() != 0) from.push_back(u);
      }
      const Tensor sources = h.index_select(0, torch::tensor(from));
      const Tensor e = sources.mv(layer.source[k]) + h[v].dot(layer.target[k]);
      const Tensor exponentials = torch::where(e > 0, e, 0.2 * e).exp();
      const Tensor alpha = exponentials / exponentials.sum();
      rows.push_back(alpha.unsqueeze(0).mm(sources));
    }
    heads.push_back(torch::cat(rows));
  }
  return torch::cat(heads, 1) + layer.bias;
}

void expect_gat(const GatOptions& options) {
  Generator generator(1);
  GatLayer layer(options, generator);
  test::randomise(*layer);
  for (const DenseGraph& graph : test::dense_graphs()) {
    test::expect_layer(*layer, graph, options.in,
                       [&](const Tensor& x) { return naive_gat(graph, options, x, *layer); });
  }
}

TEST(GatLayer, EqualsItsEquation) {
  expect_gat({3, 5, 1});
  expect_gat({4, 2, 3});
  expect_gat({6, 4, 2});
  expect_gat({2, 1, 8});
}

/// A star whose centre attends equally to itself and 9 leaves. Every row of H is ones, so the
/// result of a node is the sum of its remaining attention.
struct Uniform {
  Uniform() {
    const torch::NoGradGuard no_grad;
    EdgeList list;
    for (int leaf = 1; leaf < 10; ++leaf) {
      list.source.push_back(0);
      list.target.push_back(leaf);
    }
    star = Graph::from_edges(10, list);
    layer->weight.fill_(1);
    layer->source.fill_(0.3);
    layer->target.fill_(-0.2);
  }
  Tensor call() { return layer->forward(star, torch::ones({10, 1}), {}, generator).detach(); }

  static constexpr double kDropout = 0.6;
  Graph star;
  Generator generator{3};
  GatLayer layer{GatOptions{1, 2, 2, kDropout}, generator};
};

TEST(GatLayer, DropsAttentionsWhileTrainingAndScalesTheRest) {
  Uniform uniform;
  std::vector<int> times(11, 0);  // by the number of attention entries kept at the centre
  int different_heads = 0;
  constexpr int kCalls = 2000;
  for (int call = 0; call < kCalls; ++call) {
    const Tensor y = uniform.call()[0];
    const double left = y[0].item<double>() * 10 * (1 - Uniform::kDropout);
    ASSERT_NEAR(left, std::round(left), 1e-4);
    ASSERT_EQ(y[0].item<float>(),
              y[1].item<float>());  // one attention entry for all channels of a head
    ++times.at(std::lround(left));
    different_heads += y[0].item<float>() != y[2].item<float>() ? 1 : 0;
  }
  double mean = 0;
  double squares = 0;
  for (int left = 0; left <= 10; ++left) {
    mean += static_cast<double>(left) * times[left] / kCalls;
    squares += static_cast<double>(left) * left * times[left] / kCalls;
  }
  // Moments of a binomial distribution with 10 draws.
  EXPECT_NEAR(mean, 4.0, 0.15);
  EXPECT_NEAR(squares - mean * mean, 2.4, 0.3);
  EXPECT_GT(different_heads, kCalls / 2);
}

TEST(GatLayer, DropsNothingInEvaluation) {
  Uniform uniform;
  uniform.layer->eval();
  EXPECT_TRUE(uniform.call().allclose(torch::ones({10, 4}), 0, 1e-6));
}

TEST(GatLayer, SaysWhatItIs) {
  Generator generator(1);
  EXPECT_EQ(GatLayer(GatOptions{3, 5, 2, 0.6}, generator)->text(),
            "gat 3 -> 10 (2 heads, attention dropout 0.6)");
  EXPECT_EQ(GatLayer(GatOptions{3, 5, 1}, generator)->text(), "gat 3 -> 5 (1 head)");
}

}  // namespace
}  // namespace hgnet
