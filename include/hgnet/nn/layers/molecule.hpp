#pragma once

#include <torch/nn/pimpl.h>

#include <vector>

#include "hgnet/coarsening/coarse_graph.hpp"
#include "hgnet/config/molecules.hpp"
#include "hgnet/graph/hierarchy.hpp"
#include "hgnet/nn/layer.hpp"
#include "hgnet/nn/linear.hpp"
#include "hgnet/nn/tail.hpp"

// Layers and encoders for molecules, whose edges are bonds with their own rows, as in the Open
// Graph Benchmark.

namespace hgnet {

/// Sum of one embedding row per categorical column. x is multi-hot: an entry 1 at the category of
/// each column, columns side by side. So the sum is the product of a sparse matrix with all
/// embeddings. Initially Xavier-uniform, column by column.
class AtomEncoderImpl : public torch::nn::Module {
 public:
  AtomEncoderImpl(std::int64_t width, Generator& generator);
  torch::Tensor forward(const Features& x) const { return x.times(embedding.t()); }

  torch::Tensor embedding;  // [kAtomWidth, width]
};
TORCH_MODULE(AtomEncoder);

/// Which of all combinations of bond categories each slot has. Throws InvalidGraph, naming the
/// edge, for edge rows that are not bonds.
ParentMap bond_kinds(const Graph& graph);

/// Sum of one embedding row per categorical column of a bond, computed once for each combination of
/// categories.
class BondEncoderImpl : public torch::nn::Module {
 public:
  BondEncoderImpl(std::int64_t width, Generator& generator);
  EdgeRows forward(const ParentMap& kinds) const;

  torch::Tensor embedding;  // [13, width]
};
TORCH_MODULE(BondEncoder);

/// The bond rows of a hierarchy's levels. At level 0 the encoder's; above, e_l = W_l
/// pooled(e_{l-1}) + b_l, where the row of a coarse edge is pooled from the encoded rows of the
/// edges it stands for.
class BondLevelsImpl : public torch::nn::Module {
 public:
  BondLevelsImpl(std::int64_t width, int levels, EdgePooling pooling, Generator& generator);
  EdgeRows of_input(const Graph& graph) const { return encoder->forward(bond_kinds(graph)); }
  /// Of level l, from those of the level below, whose graph is `fine`.
  EdgeRows of_level(int l, const EdgeRows& below, const Graph& fine, const Level& level) const;

  BondEncoder encoder{nullptr};
  std::vector<Linear> linears;  // linears[l - 1] is that of level l

 private:
  EdgePooling pooling_;
};
TORCH_MODULE(BondLevels);

/// x <- W x + c, x'_v = sum_u norm_uv ReLU(x_u + e_uv) + ReLU(x_v + root) / deg_v with norm_uv =
/// (deg_u deg_v)^-1/2, deg = degree + 1.
class MoleculeGcnLayerImpl : public GraphLayer {
 public:
  MoleculeGcnLayerImpl(std::int64_t in, std::int64_t out, Generator& generator);
  torch::Tensor propagate(const LayerInput& input, Generator& generator) override;
  std::int64_t width() const override { return linear->weight.size(0); }
  std::string text() const override;

  Linear linear{nullptr};
  torch::Tensor root;  // [out]
};
TORCH_MODULE(MoleculeGcnLayer);

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

/// x'_v = MLP((1 + eps) x_v + sum_u ReLU(x_u + e_uv)) with trainable eps and an MLP C -> 2C -> C
/// with BatchNorm and ReLU between its layers.
class MoleculeGinLayerImpl : public GraphLayer {
 public:
  MoleculeGinLayerImpl(std::int64_t in, std::int64_t out, Generator& generator);
  torch::Tensor propagate(const LayerInput& input, Generator& generator) override;
  std::int64_t width() const override { return second->weight.size(0); }
  std::int64_t edge_width() const override { return first->weight.size(1); }
  std::string text() const override;

  torch::Tensor eps;  // [1]
  Linear first{nullptr};
  Tail middle{nullptr};
  Linear second{nullptr};
};
TORCH_MODULE(MoleculeGinLayer);

}  // namespace hgnet
