#pragma once

#include <torch/nn/pimpl.h>

#include "hgnet/nn/pool.hpp"

namespace hgnet {

/// A level of a static coarsening, prepared together with the graph: see Preparation. x_p = mean of
/// x_v over the members v of p.
class StaticPoolImpl : public Pool {
 public:
  explicit StaticPoolImpl(Coarsening coarsening) : coarsening_(coarsening) {}
  /// Throws InvalidHierarchy for a prepared hierarchy without that level.
  Pooled forward(const PoolLevel& level, const torch::Tensor& x,
                 const Hierarchy& prepared) override;
  std::string text() const override;
  std::string reach(int level) const override;

 private:
  Coarsening coarsening_;
};
TORCH_MODULE(StaticPool);

}  // namespace hgnet
