#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "hgnet/coarsening/build.hpp"
#include "hgnet/coarsening/coarse_graph.hpp"
#include "hgnet/coarsening/louvain.hpp"
#include "hgnet/core/enum_names.hpp"

namespace hgnet {

/// How the next level of a hierarchy is made. edgepool and top-k use scores that a model learns
/// (see EdgePool and TopKPool). The others are static: they follow from the graph alone.
enum class Coarsening { kEdgePool, kLouvain, kHeavyEdge, kRandom, kTopK };

template <>
struct EnumNames<Coarsening> {
  static constexpr const char* what = "coarsening";
  static constexpr std::array<std::pair<Coarsening, const char*>, 5> values{
      {{Coarsening::kEdgePool, "edgepool"},
       {Coarsening::kLouvain, "louvain"},
       {Coarsening::kHeavyEdge, "heavy-edge"},
       {Coarsening::kRandom, "random"},
       {Coarsening::kTopK, "top-k"}}};
};

constexpr bool is_learned(Coarsening coarsening) {
  return coarsening == Coarsening::kEdgePool || coarsening == Coarsening::kTopK;
}

/// Names of the coarsenings that need no node rows: all but top-k. edgepool then contracts edges by
/// scores drawn from the seed, as an untrained model does.
std::vector<std::string> graph_coarsenings();

struct CoarsenOptions {
  std::uint64_t seed = 0;
  /// Weights of coarse edges. If the graph has no weights, kSum starts from weight 1, so that the
  /// sums count edges. heavy-edge always sums, because it chooses by weight.
  EdgePooling edges = EdgePooling::kMean;
  // Louvain only:
  Partition partition = Partition::kFirstPass;
  EdgeWeights louvain_weights = EdgeWeights::kUnit;

  auto operator<=>(const CoarsenOptions&) const = default;
};

/// The coarsening's step, for build_hierarchy. Each level draws from its own random stream, so a
/// deeper hierarchy starts with the same levels as a shallower one. The result does not depend on
/// the number of threads. Throws Error for top-k, which needs node rows.
CoarsenStep coarsen_step(Coarsening coarsening, const CoarsenOptions& options, int threads = 1);

}  // namespace hgnet
