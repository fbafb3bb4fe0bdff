// Layers by name, and the initial values of all layers.

#include "hgnet/nn/layer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hgnet/core/error.hpp"
#include "hgnet/nn/layers/cheb.hpp"
#include "hgnet/nn/layers/edge_rows.hpp"
#include "hgnet/nn/layers/gat.hpp"
#include "hgnet/nn/layers/gcn.hpp"
#include "hgnet/nn/layers/gin.hpp"
#include "hgnet/nn/layers/rgcn.hpp"
#include "hgnet/nn/pools/edge_pool.hpp"
#include "hgnet/nn/pools/top_k_pool.hpp"
#include "support/errors.hpp"

namespace hgnet {
namespace {

using testing::HasSubstr;
using torch::Tensor;

std::string text_of(const LayerOptions& options) {
  Generator generator(1);
  const auto layer = make_layer(options, generator);
  EXPECT_EQ(layer->width(), options.out);
  EXPECT_EQ(layer->hops(), options.kind == LayerKind::kCheb ? options.cheb_order - 1 : 1);
  return layer->text();
}

TEST(MakeLayer, PassesTheOptionsOfEachKindOn) {
  const LayerOptions all{.in = 3,
                         .out = 8,
                         .heads = 4,
                         .attention_dropout = 0.5,
                         .cheb_order = 3,
                         .batch_norm = true,
                         .trainable_eps = true};
  const auto with = [&](LayerKind kind, bool edge_rows = false) {
    LayerOptions options = all;
    options.kind = kind;
    options.edge_rows = edge_rows;
    options.gin_expansion = 2;
    return text_of(options);
  };
  EXPECT_EQ(with(LayerKind::kGcn), "gcn 3 -> 8");
  EXPECT_EQ(with(LayerKind::kGin), "gin 3 -> 8 -> 8 (batch norm inside) (eps trained)");
  EXPECT_EQ(with(LayerKind::kGat), "gat 3 -> 8 (4 heads, attention dropout 0.5)");
  EXPECT_EQ(with(LayerKind::kCheb), "cheb 3 -> 8 (K = 3)");
  EXPECT_EQ(with(LayerKind::kGcn, true), "gcn with edge rows 3 -> 8");
  EXPECT_EQ(with(LayerKind::kGin, true), "gin with edge rows 3 -> 16 -> 8");
  EXPECT_EQ(text_of({.kind = LayerKind::kGin, .in = 3, .out = 8}), "gin 3 -> 8 -> 8");
  EXPECT_EQ(text_of({.kind = LayerKind::kCheb, .in = 3, .out = 8}), "cheb 3 -> 8 (K = 2)");
}

TEST(MakeLayer, RefusesWhatCannotBe) {
  Generator generator(1);
  const auto error = [&](const LayerOptions& options) {
    return test::error_of<Error>([&] { make_layer(options, generator); });
  };
  EXPECT_THAT(error({.kind = LayerKind::kGat, .in = 3, .out = 8, .heads = 3}),
              HasSubstr("width 8 cannot be split into 3 heads"));
  EXPECT_THAT(error({.kind = LayerKind::kGat, .edge_rows = true, .in = 3, .out = 8}),
              HasSubstr("no gat layer reads rows of edges"));
}

/// Checks for uniform values in [-bound, bound]: nothing beyond, mean 0 and the variance of that
/// distribution.
void expect_uniform(const Tensor& values, double bound, const std::string& what) {
  const Tensor v = values.detach().to(torch::kFloat64);
  EXPECT_LE(v.abs().max().item<double>(), bound * (1 + 1e-6)) << what;
  EXPECT_NEAR(v.mean().item<double>() / bound, 0, 0.1) << what;
  EXPECT_NEAR(v.square().mean().item<double>() / (bound * bound), 1.0 / 3, 0.05) << what;
}

double glorot(double in, double out) { return std::sqrt(6 / (in + out)); }

TEST(InitialValues, OfWeightsAreUniformWithinTheirBound) {
  Generator generator(1);
  expect_uniform(GcnLayer(GcnOptions{40, 60}, generator)->weight, glorot(40, 60), "gcn");
  expect_uniform(ChebLayer(ChebOptions{40, 60, 3}, generator)->weight, glorot(40, 60), "cheb");
  const RgcnLayer rgcn(RgcnOptions{40, 60}, generator);
  expect_uniform(rgcn->weight, glorot(40, 60), "rgcn");
  expect_uniform(rgcn->parent_weight, glorot(40, 60), "rgcn, parent");
  const GatLayer gat(GatOptions{40, 50, 20}, generator);
  expect_uniform(gat->weight, glorot(40, 1000), "gat");
  expect_uniform(gat->source, glorot(20, 50), "gat, source");
  expect_uniform(gat->target, glorot(20, 50), "gat, target");
  const Linear linear(400, 500, generator);
  expect_uniform(linear->weight, 0.05, "linear");
  expect_uniform(linear->bias, 0.05, "linear, bias");
  const EdgePool edge_pool(PoolOptions{.width = 2000}, generator);
  expect_uniform(edge_pool->weight, 1 / std::sqrt(4000.0), "edge pool");
  EXPECT_LE(edge_pool->bias.abs().item<double>(), 1 / std::sqrt(4000.0));
  expect_uniform(TopKPool(PoolOptions{.width = 2000}, generator)->weight, 1 / std::sqrt(2000.0),
                 "top-k pool");
  const EdgeGcnLayer molecule(3, 2000, generator);
  expect_uniform(molecule->root, 1, "gcn with edge rows, root");
  const NodeEncoder atoms(kAtomColumns, 500, generator);
  expect_uniform(atoms->embedding.narrow(0, 0, 119), glorot(119, 500), "atom column 0");
  expect_uniform(atoms->embedding.narrow(0, 124, 12), glorot(12, 500), "atom column 2");
  const EdgeEncoder bonds(0, 1500, generator);
  expect_uniform(bonds->embedding.narrow(0, 5, 6), glorot(6, 1500), "bond column 1");
}

TEST(InitialValues, OfBiasesAreZero) {
  Generator generator(1);
  for (const LayerKind kind : {LayerKind::kGcn, LayerKind::kGat, LayerKind::kCheb}) {
    const auto layer = make_layer({.kind = kind, .in = 4, .out = 6}, generator);
    EXPECT_TRUE(layer->bias.equal(torch::zeros({6}))) << layer->text();
  }
  EXPECT_TRUE(RgcnLayer(RgcnOptions{4, 6}, generator)->bias.equal(torch::zeros({6})));
}

}  // namespace
}  // namespace hgnet
