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

/// How the next level of a hierarchy is made. For edgepool and top-k see EdgePool and TopKPool: a model learns what they go by.
/// The others are static: they follow from the graph alone.
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

/// Names of those that need no rows of nodes: all but top-k. Edgepool then contracts edges by scores drawn from the seed, as an
/// untrained model does.
std::vector<std::string> graph_coarsenings();

struct CoarsenOptions {
  std::uint64_t seed = 0;
  /// Weights of coarse edges. kSum starts from weight 1 where the graph has none, so that they count edges;
  /// heavy-edge, which goes by them, always sums.
  EdgePooling edges = EdgePooling::kMean;
  // Louvain alone:
  Partition partition = Partition::kFirstPass;
  EdgeWeights louvain_weights = EdgeWeights::kUnit;

  auto operator<=>(const CoarsenOptions&) const = default;
};

/// The coarsening's step, for build_hierarchy. Levels draw from streams of their own, so that a hierarchy of more levels starts with
/// the same ones. Throws Error for top-k, which needs rows of nodes.
CoarsenStep coarsen_step(Coarsening coarsening, const CoarsenOptions& options);

}  // namespace hgnet
