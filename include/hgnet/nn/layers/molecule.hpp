#pragma once

#include <torch/nn/pimpl.h>

#include "hgnet/config/molecules.hpp"
#include "hgnet/nn/layer.hpp"
#include "hgnet/nn/linear.hpp"
#include "hgnet/nn/tail.hpp"

// Layers and encoders for molecules, whose edges are bonds with rows of their own (Open Graph Benchmark's forms).

namespace hgnet {

/// Sum of one embedding row per categorical column. x has an entry 1 at each column's category, the columns side by
/// side; so the sum is the product of a sparse matrix with all embeddings. Xavier-uniform, column by column.
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
  /// Throws InvalidGraph, naming the edge, for rows that are not bonds. Edge rows of width 3.
  Bonds(const Graph& graph, int level);

  bool are_categories() const { return level_ == 0; }
  const ParentMap& kind_of_slot() const { return kind_of_slot_; }
  const torch::Tensor& rows() const { return rows_; }

 private:
  int level_;
  ParentMap kind_of_slot_;  // at level 0: which of all combinations of categories
  torch::Tensor rows_;      // above: [num_edges, 3]
};

/// At level 0 sums of embeddings, computed once for each combination of categories; above, a Linear on the
/// pooled rows.
class BondEncoderImpl : public torch::nn::Module {
 public:
  BondEncoderImpl(std::int64_t width, int level, Generator& generator);
  /// Refers to `bonds`, which must live as long as the result.
  EdgeRows forward(const Bonds& bonds) const;

  torch::Tensor embedding;  // [13, width], at level 0
  Linear linear{nullptr};   // above
};
TORCH_MODULE(BondEncoder);

/// x <- W x + c, x'_v = sum_u norm_uv ReLU(x_u + e_uv) + ReLU(x_v + root) / deg_v with norm_uv = (deg_u deg_v)^-1/2,
/// deg = degree + 1.
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

/// x'_v = W (sum_u norm_uv ReLU(x_u + e_uv) + ReLU(x_v + root) / deg_v + ReLU(p_v + par) / deg_v) + c, deg = degree + 2,
/// p_v the row of v's parent ("RGCN-like").
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

/// x'_v = MLP((1 + eps) x_v + sum_u ReLU(x_u + e_uv)), eps trainable, MLP C -> 2C -> C with BatchNorm and ReLU between.
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
