#pragma once

#include <torch/nn/pimpl.h>

#include "hgnet/nn/pool.hpp"

namespace hgnet {

/// A level of a static coarsening, which was prepared with the graph: see Preparation. x_p = mean
/// of x_v over the members v of p; with PooledRows::kBefore, from the second level on, the mean of
/// the rows that entered the level's layer.
class StaticPoolImpl : public Pool {
 public:
  explicit StaticPoolImpl(Coarsening coarsening, PooledRows pooled = PooledRows::kAfter)
      : coarsening_(coarsening), pooled_(pooled) {}
  /// Throws InvalidHierarchy for a prepared hierarchy without that level.
  Pooled forward(const PoolLevel& level, const torch::Tensor& x,
                 const Hierarchy& prepared) override;
  std::string text() const override;
  std::string reach(int level) const override;

 private:
  Coarsening coarsening_;
  PooledRows pooled_;
};
TORCH_MODULE(StaticPool);

}  // namespace hgnet
