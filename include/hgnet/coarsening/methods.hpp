#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hgnet/coarsening/build.hpp"
#include "hgnet/coarsening/coarse_graph.hpp"
#include "hgnet/coarsening/louvain.hpp"

namespace hgnet {

/// Coarsenings that need no node features. kEdgePool contracts edges by scores drawn from the seed,
/// as an untrained model does.
enum class CoarseningMethod { kEdgePool, kLouvain, kHeavyEdge, kRandom };

/// "edgepool", "louvain", "heavy-edge", "random".
std::vector<std::string> coarsening_names();
std::string_view name(CoarseningMethod method);
/// Throws Error, listing the names, for another one.
CoarseningMethod coarsening_method(std::string_view name);

struct CoarsenOptions {
  std::uint64_t seed = 0;
  /// Weights of coarse edges. kSum starts from weight 1 where the graph has none, so that they count edges;
  /// heavy-edge, which goes by them, always sums.
  EdgePooling edges = EdgePooling::kMean;
  // Louvain alone:
  Partition partition = Partition::kFirstPass;
  EdgeWeights louvain_weights = EdgeWeights::kUnit;
};

/// The method's step, for build_hierarchy. Levels draw from streams of their own, so that a
/// hierarchy of more levels starts with the same ones.
CoarsenStep coarsen_step(CoarseningMethod method, const CoarsenOptions& options);

}  // namespace hgnet
