#include "hgnet/nn/layers/gin.hpp"

#include <gtest/gtest.h>

#include "nn/checks.hpp"

namespace hgnet {
namespace {

using test::DenseGraph;
using torch::Tensor;

/// MLP((1 + eps) x_v + sum of x_u): weights do not count.
Tensor naive_gin(const DenseGraph& graph, const GinOptions& options, const Tensor& x,
                 const GinLayerImpl& layer) {
  Tensor sum = x + graph.ones().mm(x);
  if (options.trainable_eps) sum = sum + layer.eps * x;
  const Tensor hidden =
      test::naive_norm(*layer.middle, sum.mm(layer.first->weight.t()) + layer.first->bias);
  return hidden.relu().mm(layer.second->weight.t()) + layer.second->bias;
}

void expect_gin(const GinOptions& options, bool training = true) {
  Generator generator(1);
  GinLayer layer(options, generator);
  test::randomise(*layer);
  layer->train(training);
  for (const DenseGraph& graph : test::dense_graphs()) {
    // Normalising a single row leaves nothing of it.
    if (options.batch_norm && training && graph.graph.num_nodes() == 1) continue;
    test::expect_layer(*layer, graph, options.in,
                       [&](const Tensor& x) { return naive_gin(graph, options, x, *layer); });
  }
}

TEST(GinLayer, EqualsItsEquation) {
  expect_gin({3, 5});
  expect_gin({4, 4});
  expect_gin({6, 2});
}

TEST(GinLayer, AddsATrainedEpsToTheNodeItself) {
  for (const double eps : {0.7, -1.6}) {
    for (const auto& [in, out] : {std::pair{3, 5}, std::pair{6, 2}}) {
      const GinOptions options{in, out, false, true};
      Generator generator(1);
      GinLayer layer(options, generator);
      test::randomise(*layer);
      layer->eps.data().fill_(static_cast<float>(eps));
      for (const DenseGraph& graph : test::dense_graphs()) {
        test::expect_layer(*layer, graph, in,
                           [&](const Tensor& x) { return naive_gin(graph, options, x, *layer); });
      }
    }
  }
}

TEST(GinLayer, NormalisesBetweenTheTwoLinears) {
  for (const bool training : {true, false}) {
    expect_gin({3, 5, true}, training);
    expect_gin({6, 2, true, true}, training);
  }
}

TEST(GinLayer, EpsIsFixedAtZeroOrTrainedFromThere) {
  Generator generator(1);
  EXPECT_FALSE(GinLayer(GinOptions{3, 5}, generator)->eps.defined());
  const GinLayer trained(GinOptions{3, 5, false, true}, generator);
  EXPECT_EQ(trained->eps.item<float>(), 0);
  EXPECT_TRUE(trained->named_parameters().contains("eps"));
  EXPECT_EQ(trained->text(), "gin 3 -> 5 -> 5 (eps trained)");
  EXPECT_EQ(GinLayer(GinOptions{3, 5, true}, generator)->text(),
            "gin 3 -> 5 -> 5 (batch norm inside)");
}

}  // namespace
}  // namespace hgnet
