#pragma once

#include <torch/nn/pimpl.h>

#include "hgnet/nn/pool.hpp"

namespace hgnet {

/// gPool (Gao and Ji): y = X p / |p|. Keeps the k nodes with the highest y in each graph; x' = x
/// tanh(y). Their graph is (A + I)^2 without diagonal, restricted to them, with its entries as edge
/// weights.
class TopKPoolImpl : public Pool {
 public:
  TopKPoolImpl(const PoolOptions& options, Generator& generator);
  Pooled forward(const PoolLevel& level, const torch::Tensor& x,
                 const Hierarchy& prepared) override;
  std::string text() const override;
  std::string reach(int level) const override;

  torch::Tensor weight;  // p [1, width]

 private:
  Keep keep_;
};
TORCH_MODULE(TopKPool);

}  // namespace hgnet
