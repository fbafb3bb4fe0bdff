#include "hgnet/nn/virtual_node.hpp"

#include <gtest/gtest.h>

#include "nn/checks.hpp"

namespace hgnet {
namespace {

using test::Inputs;
using torch::Tensor;

constexpr std::int64_t kStateWidth = 3;

/// Graph 1 has no nodes.
ParentMap graphs() { return {{0, 0, 0, 2, 2, 3, 3, 3, 3}, 4}; }

/// MLP(vn + sum of the graph's rows), ReLU after both Linears.
Tensor naive_update(const VirtualNodeImpl& node, const Tensor& vn, const Tensor& rows) {
  const ParentMap graph_of_node = graphs();
  std::vector<Tensor> sums;
  for (NodeId g = 0; g < graph_of_node.num_parents(); ++g) {
    Tensor sum = vn[g];
    for (NodeId v = 0; v < graph_of_node.num_children(); ++v) {
      if (graph_of_node.parent(v) == g) sum = sum + rows[v];
    }
    sums.push_back(sum);
  }
  const Tensor hidden = torch::stack(sums).mm(node.first->weight.t()) + node.first->bias;
  const Tensor relu = test::naive_norm(*node.first_tail, hidden).relu();
  return test::naive_norm(*node.second_tail, relu.mm(node.second->weight.t()) + node.second->bias)
      .relu();
}

TEST(VirtualNode, ItsOwnStateCountsInTheNextUpdate) {
  for (const Norm norm : {Norm::kNone, Norm::kBatch}) {
    for (const bool training : {true, false}) {
      SCOPED_TRACE(testing::Message() << enum_name(norm) << ", training " << training);
      Generator generator(1);
      VirtualNode node(VirtualNodeOptions{kStateWidth, norm}, generator);
      test::randomise(*node);
      node->train(training);
      test::expect_naive(
          *node,
          [&](const Inputs& in) {
            const Tensor once = node->forward(in[0], in[1], graphs(), generator);
            return torch::cat({once, node->forward(once, in[2], graphs(), generator)}, 1);
          },
          [&](const Inputs& in) {
            const Tensor once = naive_update(*node, in[0], in[1]);
            return torch::cat({once, naive_update(*node, once, in[2])}, 1);
          },
          {test::random_rows({4, kStateWidth}, 1), test::random_rows({9, kStateWidth}, 2),
           test::random_rows({9, kStateWidth}, 3)});
    }
  }
}

TEST(VirtualNode, DropsEntriesOfItsResultWhileTraining) {
  Generator generator(1);
  VirtualNode node(VirtualNodeOptions{50, Norm::kNone, 0.25}, generator);
  const Tensor vn = torch::rand({4, 50});
  const Tensor rows = torch::rand({9, 50});
  node->eval();
  const Tensor whole = node->forward(vn, rows, graphs(), generator).detach();
  node->train();
  const Tensor y = node->forward(vn, rows, graphs(), generator).detach();
  const Tensor kept = y != 0;
  EXPECT_TRUE(y.masked_select(kept).allclose(whole.masked_select(kept) / 0.75));
  const auto positive = (whole > 0).sum().item<double>();
  ASSERT_GT(positive, 50);
  EXPECT_NEAR(kept.sum().item<double>() / positive, 0.75, 0.15);
  EXPECT_FALSE(y.equal(node->forward(vn, rows, graphs(), generator)));
}

TEST(VirtualNode, SaysWhatItIs) {
  Generator generator(1);
  EXPECT_EQ(VirtualNode(VirtualNodeOptions{3, Norm::kBatch, 0.5}, generator)->text(),
            "mlp 3 -> 6, batch norm, relu -> 3, batch norm, relu, dropout 0.5");
}

}  // namespace
}  // namespace hgnet
