// Whole models as they are usually written with stock libtorch calls: one row per edge by
// index_select, summed by index_add; EdgePool with edge rows of width 2C, a sort and a set, the
// hierarchy rebuilt in every step. They use the weights of a Model, so that both can be compared
// and timed. float32.

#pragma once

#include "hgnet/models/model.hpp"
#include "stock.hpp"

namespace hgnet::stock {

/// The input of such code: edges as index tensors, the graph of each node, dense features.
struct StockInput {
  explicit StockInput(const Input& input);

  torch::Tensor x;
  Edges edges;
  torch::Tensor graph_of_node;
  std::int64_t num_graphs;
};

/// The model's result. For gcn, gin, cheb (K = 2), gat, g-unet and hgnet with edgepool and join
/// rgcn; batch norm or none; no dropout.
torch::Tensor forward(const Model& model, const StockInput& input);

}  // namespace hgnet::stock
