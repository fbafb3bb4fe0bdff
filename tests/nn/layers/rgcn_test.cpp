#include "hgnet/nn/layers/rgcn.hpp"

#include <gtest/gtest.h>

#include "nn/checks.hpp"

namespace hgnet {
namespace {

using test::DenseGraph;
using test::Inputs;
using torch::Tensor;

/// Node by node: the sum or mean over N(v) + v of W_0 x_u, with v counted once; weights do not
/// count. W_1 x_parent is the only term of its relation, so sum and mean are the same there.
Tensor naive_rgcn(const DenseGraph& graph, const RgcnOptions& options, const Tensor& x,
                  const Tensor& above, const ParentMap& parent, const RgcnLayerImpl& layer) {
  const Tensor root = layer.weight.narrow(0, 0, options.out);
  const Tensor inside = layer.weight.narrow(0, options.out, options.out);
  std::vector<Tensor> rows;
  for (NodeId v = 0; v < x.size(0); ++v) {
    Tensor sum = x[v];
    double count = 1;
    for (NodeId u = 0; u < x.size(0); ++u) {
      if (u == v || graph.adjacency[u][v].item<double>() == 0) continue;
      sum = sum + x[u];
      count += 1;
    }
    if (options.aggregation == Aggregation::kMean) sum = sum / count;
    Tensor row = root.mv(x[v]) + inside.mv(sum);
    if (parent.parent(v) != kNoNode) row = row + layer.parent_weight.mv(above[parent.parent(v)]);
    rows.push_back(row);
  }
  return torch::stack(rows) + layer.bias;
}

void expect_rgcn(const RgcnOptions& options) {
  Generator generator(1);
  RgcnLayer layer(options, generator);
  test::randomise(*layer);
  for (const DenseGraph& graph : test::dense_graphs()) {
    SCOPED_TRACE(layer->text() + " on " + graph.name);
    const ParentMap parent = test::parents_of(graph.graph.num_nodes());
    test::expect_naive(
        *layer,
        [&](const Inputs& in) {
          return layer->forward(graph.graph, in[0], {}, generator, {in[1], parent});
        },
        [&](const Inputs& in) { return naive_rgcn(graph, options, in[0], in[1], parent, *layer); },
        {test::random_rows({graph.graph.num_nodes(), options.in}, 1),
         test::random_rows({parent.num_parents(), options.in}, 2)});
  }
}

TEST(RgcnLayer, SumsOverNeighboursAndItself) {
  EXPECT_EQ(RgcnOptions{}.aggregation, Aggregation::kSum);
  expect_rgcn({3, 5});
  expect_rgcn({4, 4});
  expect_rgcn({6, 2});
}

TEST(RgcnLayer, MeanDividesByTheNumberOfTerms) {
  expect_rgcn({3, 5, Aggregation::kMean});
  expect_rgcn({4, 4, Aggregation::kMean});
  expect_rgcn({6, 2, Aggregation::kMean});
}

TEST(RgcnLayer, SaysWhatItIs) {
  Generator generator(1);
  EXPECT_EQ(RgcnLayer(RgcnOptions{3, 5}, generator)->text(), "rgcn 3 -> 5");
  EXPECT_EQ(RgcnLayer(RgcnOptions{3, 5, Aggregation::kMean}, generator)->text(),
            "rgcn 3 -> 5 (mean)");
}

}  // namespace
}  // namespace hgnet
