#include "hgnet/nn/layers/gcn.hpp"

#include <gtest/gtest.h>

#include "nn/checks.hpp"

namespace hgnet {
namespace {

using test::DenseGraph;
using torch::Tensor;

/// D^-1/2 (A + fill I) D^-1/2 X W + b; a self-loop of the graph keeps its weight.
Tensor naive_gcn(const DenseGraph& graph, double fill, const Tensor& x, const GcnLayerImpl& layer) {
  Tensor a = graph.adjacency.clone();
  for (std::int64_t v = 0; v < a.size(0); ++v) {
    if (a[v][v].item<double>() == 0) a[v][v] = fill;
  }
  const Tensor scale = torch::diag(a.sum(1).pow(-0.5));
  return scale.mm(a).mm(scale).mm(x).mm(layer.weight.t()) + layer.bias;
}

void expect_gcn(const GcnOptions& options, double fill) {
  Generator generator(1);
  GcnLayer layer(options, generator);
  test::randomise(*layer);
  for (const DenseGraph& graph : test::dense_graphs()) {
    test::expect_layer(*layer, graph, options.in,
                       [&](const Tensor& x) { return naive_gcn(graph, fill, x, *layer); });
  }
}

TEST(GcnLayer, EqualsItsEquation) {
  expect_gcn({3, 5}, 1);
  expect_gcn({4, 4}, 1);
  expect_gcn({6, 2}, 1);
  expect_gcn({3, 260}, 1);
}

TEST(GcnLayer, ImprovedAddsTwoSelfLoops) {
  expect_gcn({3, 5, SelfLoopFill::kTwo}, 2);
  expect_gcn({6, 2, SelfLoopFill::kTwo}, 2);
}

TEST(GcnLayer, SaysWhatItIs) {
  Generator generator(1);
  EXPECT_EQ(GcnLayer(GcnOptions{3, 5}, generator)->text(), "gcn 3 -> 5");
  EXPECT_EQ(GcnLayer(GcnOptions{3, 5, SelfLoopFill::kTwo}, generator)->text(),
            "gcn (A + 2I) 3 -> 5");
}

}  // namespace
}  // namespace hgnet
