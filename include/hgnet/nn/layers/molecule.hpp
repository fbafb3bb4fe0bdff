#pragma once

#include <torch/nn/pimpl.h>

#include "hgnet/config/molecules.hpp"
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

/// The bond rows of one graph: categories at level 0, their averages above.
class Bonds {
 public:
  /// Needs edge rows of width 3. Throws InvalidGraph, naming the edge, for rows that are not bonds.
  Bonds(const Graph& graph, int level);

  bool are_categories() const { return level_ == 0; }
  const ParentMap& kind_of_slot() const { return kind_of_slot_; }
  const torch::Tensor& rows() const { return rows_; }

 private:
  int level_;
  ParentMap kind_of_slot_;  // at level 0: the combination of categories
  torch::Tensor rows_;      // above level 0: [num_edges, 3]
};

/// At level 0, sums of embeddings, computed once for each combination of categories; above, a
/// Linear on the pooled rows.
class BondEncoderImpl : public torch::nn::Module {
 public:
  BondEncoderImpl(std::int64_t width, int level, Generator& generator);
  /// The result refers to `bonds`, which must outlive it.
  EdgeRows forward(const Bonds& bonds) const;

  torch::Tensor embedding;  // [13, width], at level 0
  Linear linear{nullptr};   // above level 0
};
TORCH_MODULE(BondEncoder);

/// x <- W x + c, x'_v = sum_u norm_uv ReLU(x_u + e_uv) + ReLU(x_v + root) / deg_v, where norm_uv =
/// (deg_u deg_v)^-1/2 and deg = degree + 1.
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
