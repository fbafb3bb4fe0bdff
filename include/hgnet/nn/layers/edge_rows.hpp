#pragma once

#include <torch/nn/pimpl.h>

#include <span>
#include <vector>

#include "hgnet/coarsening/coarse_graph.hpp"
#include "hgnet/config/molecules.hpp"
#include "hgnet/graph/hierarchy.hpp"
#include "hgnet/nn/layer.hpp"
#include "hgnet/nn/layers/gin.hpp"
#include "hgnet/nn/linear.hpp"
#include "hgnet/nn/tail.hpp"

// Layers and encoders for graphs whose edges have rows: the bonds of molecules, as in the Open
// Graph Benchmark, or features of edges, as an Encoding makes them.

namespace hgnet {

/// X E. For atoms x is multi-hot: an entry 1 at the category of each column, columns side by side.
/// So the product is the sum of one embedding row per column. Initially Xavier-uniform, column by
/// column.
class NodeEncoderImpl : public torch::nn::Module {
 public:
  /// `sizes` are the widths of the columns.
  NodeEncoderImpl(std::span<const std::int64_t> sizes, std::int64_t width, Generator& generator);
  torch::Tensor forward(const Features& x) const { return x.times(embedding.t()); }
  std::string text() const;

  torch::Tensor embedding;  // E [sum of sizes, width]
};
TORCH_MODULE(NodeEncoder);

/// What the encoder takes. Of features (`inputs` > 0): the graph's edge rows. Of bonds (0): a row
/// for each combination of categories, with an entry 1 at each of them, and which of them each slot
/// has. Throws InvalidGraph, naming width or edge, for edge rows that are not of this kind.
EdgeRows edge_inputs(const Graph& graph, std::int64_t inputs);

/// Of features: e = W f + b. Of bonds: the sum of one embedding row per categorical column,
/// computed once for each combination of categories.
class EdgeEncoderImpl : public torch::nn::Module {
 public:
  EdgeEncoderImpl(std::int64_t inputs, std::int64_t width, Generator& generator);
  EdgeRows forward(const EdgeRows& inputs) const;

  torch::Tensor embedding;  // [inputs, width]; of bonds [13, width]
  torch::Tensor bias;       // [width]; undefined for bonds
};
TORCH_MODULE(EdgeEncoder);

/// The edge rows of a hierarchy's levels. At level 0 the encoder's; above, e_l = W_l
/// pooled(e_{l-1}) + b_l, where the row of a coarse edge is pooled from the encoded rows of the
/// edges it stands for.
class EdgeLevelsImpl : public torch::nn::Module {
 public:
  EdgeLevelsImpl(std::int64_t inputs, std::int64_t width, int levels, EdgePooling pooling,
                 Generator& generator);
  EdgeRows of_input(const Graph& graph) const {
    return encoder->forward(edge_inputs(graph, inputs_));
  }
  bool of_bonds() const { return inputs_ == 0; }
  /// Of level l, from those of the level below, whose graph is `fine`.
  EdgeRows of_level(int l, const EdgeRows& below, const Graph& fine, const Level& level) const;

  EdgeEncoder encoder{nullptr};
  std::vector<Linear> linears;  // linears[l - 1] is that of level l

 private:
  std::int64_t inputs_;
  EdgePooling pooling_;
};
TORCH_MODULE(EdgeLevels);

/// x <- W x + c, x'_v = sum_u norm_uv ReLU(x_u + e_uv) + ReLU(x_v + root) / deg_v with norm_uv =
/// (deg_u deg_v)^-1/2, deg = degree + 1. With weights, as in GCN: deg = sum of weights + 1, and
/// norm_uv times w_uv. A node with a self-loop has its message instead of that of root.
class EdgeGcnLayerImpl : public GraphLayer {
 public:
  EdgeGcnLayerImpl(std::int64_t in, std::int64_t out, Generator& generator);
  torch::Tensor propagate(const LayerInput& input, Generator& generator) override;
  std::int64_t width() const override { return linear->weight.size(0); }
  std::string text() const override;

  Linear linear{nullptr};
  torch::Tensor root;  // [out]
};
TORCH_MODULE(EdgeGcnLayer);

/// x'_v = W (sum_u norm_uv ReLU(x_u + e_uv) + ReLU(x_v + root) / deg_v + ReLU(p_v + par) / deg_v) +
/// c, where deg = degree + 2 and p_v is the row of v's parent ("RGCN-like").
class ParentGcnLayerImpl : public GraphLayer {
 public:
  ParentGcnLayerImpl(std::int64_t in, std::int64_t out, Generator& generator);
  torch::Tensor propagate(const LayerInput& input, Generator& generator) override;
  std::int64_t width() const override { return linear->weight.size(0); }
  std::int64_t edge_width() const override { return linear->weight.size(1); }
  std::string text() const override;

  Linear linear{nullptr};
  torch::Tensor root;    // [in]
  torch::Tensor parent;  // par [in]
};
TORCH_MODULE(ParentGcnLayer);

/// x'_v = MLP((1 + eps) x_v + sum_u ReLU(x_u + e_uv)), eps 0 or trained, and an MLP in -> hidden ->
/// out with ReLU, after BatchNorm if asked for, between its layers.
class EdgeGinLayerImpl : public GraphLayer {
 public:
  EdgeGinLayerImpl(const GinOptions& options, std::int64_t hidden, Generator& generator);
  torch::Tensor propagate(const LayerInput& input, Generator& generator) override;
  std::int64_t width() const override { return second->weight.size(0); }
  std::int64_t edge_width() const override { return first->weight.size(1); }
  std::string text() const override;

  torch::Tensor eps;  // [1]; undefined if it is 0
  Linear first{nullptr};
  Tail middle{nullptr};
  Linear second{nullptr};
};
TORCH_MODULE(EdgeGinLayer);

}  // namespace hgnet
