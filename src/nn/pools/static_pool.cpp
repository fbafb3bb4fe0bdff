#include "hgnet/nn/pools/static_pool.hpp"

#include "hgnet/ops/segment.hpp"

namespace hgnet {

Pooled StaticPoolImpl::forward(const PoolLevel& level, const torch::Tensor& x,
                               const Hierarchy& prepared) {
  const int l = level.number;
  if (prepared.num_levels() <= l) {
    throw InvalidHierarchy("pool " + std::to_string(l) + ": needs coarse level " +
                           std::to_string(l + 1) + " of each graph (got " +
                           std::to_string(prepared.num_levels()) +
                           " levels); Model::prepare makes them");
  }
  const ParentMap& parent = prepared.parent(l);
  const torch::Tensor& rows =
      pooled_ == PooledRows::kBefore && level.pooled.defined() ? level.pooled : x;
  return {{parent, prepared.graph(l + 1)}, segment_mean(rows, parent), x, {}, {}};
}

std::string StaticPoolImpl::text() const {
  return std::string(enum_name(coarsening_)) + (pooled_ == PooledRows::kBefore
                                                    ? ", mean of rows from before the layer"
                                                    : ", mean of rows");
}

std::string StaticPoolImpl::reach(int level) const {
  return traits_of(coarsening_).in_pairs ? reach_of_pairs(level)
                                         : "a node of a coarse level stands for a whole community";
}

std::shared_ptr<Pool> make_static_pool(Coarsening coarsening, const PoolOptions& options,
                                       Generator&) {
  return std::make_shared<StaticPoolImpl>(coarsening, options.pooled);
}

}  // namespace hgnet
