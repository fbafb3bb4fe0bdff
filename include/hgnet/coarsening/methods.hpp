#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "hgnet/coarsening/build.hpp"
#include "hgnet/coarsening/coarse_graph.hpp"
#include "hgnet/coarsening/louvain.hpp"
#include "hgnet/core/enum_names.hpp"

namespace hgnet {

/// How the next level of a hierarchy is made: the one table of coarsenings. edgepool and top-k use
/// scores that a model learns (see EdgePool and TopKPool). The others are static: they follow from
/// the graph alone. A row has
///   value      in Coarsening
///   name       in files and on the command line
///   learned    by scores that a model learns, so levels are made in every step
///   in_pairs   a coarse node has one or two members
///   by_weight  it chooses by the weights of edges, so coarse edges sum them
///   parents    its step for a graph alone, a ParentsOfGraph; nullptr if it needs node rows
///   pool       its Pool is made by make_<pool>, defined in src/nn/pools
#define HGNET_COARSENINGS(ROW)                                                       \
  ROW(kEdgePool, "edgepool", true, true, false, contract_by_drawn_scores, edge_pool) \
  ROW(kLouvain, "louvain", false, false, false, louvain_parents, static_pool)        \
  ROW(kHeavyEdge, "heavy-edge", false, true, true, heavy_edge_parents, static_pool)  \
  ROW(kRandom, "random", false, true, false, random_matching_parents, static_pool)   \
  ROW(kTopK, "top-k", true, false, false, nullptr, top_k_pool)

#define HGNET_ROW(value, ...) value,
enum class Coarsening { HGNET_COARSENINGS(HGNET_ROW) };
#undef HGNET_ROW

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

/// The parents of a graph's nodes on the next level. `seed` is the level's own.
using ParentsOfGraph = ParentMap(const Graph& graph, std::uint64_t seed,
                                 const CoarsenOptions& options, int threads);
ParentsOfGraph contract_by_drawn_scores;  // as an untrained EdgePool does
ParentsOfGraph louvain_parents;
ParentsOfGraph heavy_edge_parents;
ParentsOfGraph random_matching_parents;

struct CoarseningTraits {
  Coarsening value;
  const char* name;
  bool learned;
  bool in_pairs;
  bool by_weight;
  ParentsOfGraph* parents;
};

#define HGNET_ROW(value, name, learned, in_pairs, by_weight, parents, pool) \
  {Coarsening::value, name, learned, in_pairs, by_weight, parents},
inline constexpr auto kCoarsenings =
    std::to_array<CoarseningTraits>({HGNET_COARSENINGS(HGNET_ROW)});
#undef HGNET_ROW

template <>
struct EnumNames<Coarsening> {
  static constexpr const char* what = "coarsening";
  static constexpr auto values = names_in_table<Coarsening>(kCoarsenings);
};

constexpr const CoarseningTraits& traits_of(Coarsening coarsening) {
  return row_in_table(kCoarsenings, coarsening);
}

/// Names of the coarsenings that need no node rows: all but top-k.
std::vector<std::string> graph_coarsenings();

/// The coarsening's step, for build_hierarchy. Each level draws from its own random stream, so a
/// deeper hierarchy starts with the same levels as a shallower one. The result does not depend on
/// the number of threads. Throws Error for top-k, which needs node rows.
CoarsenStep coarsen_step(Coarsening coarsening, const CoarsenOptions& options, int threads = 1);

}  // namespace hgnet
