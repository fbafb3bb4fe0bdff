#include "hgnet/nn/layers/cheb.hpp"

#include <gtest/gtest.h>

#include "hgnet/core/error.hpp"
#include "nn/checks.hpp"

namespace hgnet {
namespace {

using test::DenseGraph;
using torch::Tensor;

/// sum over k of T_k(L~) X W_k + b with L~ = 2 L / 2 - I, L = I - D^-1/2 A D^-1/2, self-loops left
/// out.
Tensor naive_cheb(const DenseGraph& graph, int order, const Tensor& x, const ChebLayerImpl& layer) {
  const std::int64_t nodes = x.size(0);
  const Tensor eye = torch::eye(nodes, torch::kFloat64);
  const Tensor a = graph.adjacency * (1 - eye);
  Tensor scale = torch::zeros_like(eye);
  for (std::int64_t v = 0; v < nodes; ++v) {
    const double degree = a[v].sum().item<double>();
    if (degree > 0) scale[v][v] = 1 / std::sqrt(degree);
  }
  const Tensor laplacian = eye - scale.mm(a).mm(scale);
  const Tensor l = laplacian - eye;
  std::vector<Tensor> t{eye, l};
  while (static_cast<int>(t.size()) < order) t.push_back(2 * l.mm(t.back()) - t[t.size() - 2]);
  Tensor result = layer.bias.unsqueeze(0);
  const std::int64_t out = layer.bias.size(0);
  for (int k = 0; k < order; ++k)
    result = result + t[k].mm(x).mm(layer.weight.narrow(0, k * out, out).t());
  return result;
}

void expect_cheb(const ChebOptions& options) {
  Generator generator(1);
  ChebLayer layer(options, generator);
  test::randomise(*layer);
  for (const DenseGraph& graph : test::dense_graphs()) {
    test::expect_layer(*layer, graph, options.in, [&](const Tensor& x) {
      return naive_cheb(graph, options.order, x, *layer);
    });
  }
}

TEST(ChebLayer, EqualsItsEquationForEveryOrder) {
  for (int order = 1; order <= 5; ++order) {
    expect_cheb({3, 5, order});
    expect_cheb({4, 4, order});
    expect_cheb({6, 2, order});
  }
}

TEST(ChebLayer, ReachesOneEdgeLessThanItsOrder) {
  Generator generator(1);
  EXPECT_EQ(ChebLayer(ChebOptions{3, 5, 1}, generator)->hops(), 0);
  EXPECT_EQ(ChebLayer(ChebOptions{3, 5, 4}, generator)->hops(), 3);
  EXPECT_EQ(ChebLayer(ChebOptions{3, 5, 4}, generator)->text(), "cheb 3 -> 5 (K = 4)");
}

TEST(ChebLayer, HasAtLeastOneTerm) {
  Generator generator(1);
  EXPECT_EQ(ChebOptions{}.order, 2);
  EXPECT_THROW(ChebLayer(ChebOptions{3, 5, 0}, generator), Error);
}

}  // namespace
}  // namespace hgnet
