#pragma once

#include <torch/nn/pimpl.h>

#include "hgnet/nn/layer.hpp"

namespace hgnet {

struct ChebOptions {
  std::int64_t in = 0;
  std::int64_t out = 0;
  int order = 2;  // K
};

/// X' = sum_{k < K} T_k(L~) X W_k + b (Defferrard et al.), where T_k are the Chebyshev polynomials
/// and, for lambda_max = 2, L~ = -D^-1/2 A D^-1/2 without self-loops. For sparse input, or input at
/// least as wide as the output, the polynomials are applied to the products X W_k (Clenshaw's
/// recurrence), so that such features are multiplied first.
class ChebLayerImpl : public GraphLayer {
 public:
  ChebLayerImpl(const ChebOptions& options, Generator& generator);
  torch::Tensor propagate(const LayerInput& input, Generator& generator) override;
  std::int64_t width() const override { return options_.out; }
  int hops() const override { return options_.order - 1; }
  std::string text() const override;

  torch::Tensor weight;  // [K * out, in]: W_0^T, W_1^T, ... stacked

 private:
  torch::Tensor two_terms(const Graph& graph, Features& x) const;
  torch::Tensor polynomials_first(const Graph& graph, const torch::Tensor& x) const;
  torch::Tensor products_first(const Graph& graph, const torch::Tensor& products) const;

  ChebOptions options_;
};
TORCH_MODULE(ChebLayer);

}  // namespace hgnet
