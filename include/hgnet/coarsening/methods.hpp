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

/// How the next level of a hierarchy is made. edgepool and top-k use scores that a model learns
/// (see EdgePool and TopKPool). The others are static: they follow from the graph alone.
enum class Coarsening { kEdgePool, kLouvain, kHeavyEdge, kRandom, kTopK };

struct CoarseningTraits {
  Coarsening value;
  const char* name;
  bool learned;     // by scores that a model learns, so levels are made in every step
  bool needs_rows;  // there is no form of it for a graph alone
  bool in_pairs;    // a coarse node has one or two members
};

/// Everything that depends on the kind of coarsening, except for the step itself, reads this table.
inline constexpr std::array kCoarsenings{
    CoarseningTraits{Coarsening::kEdgePool, "edgepool", true, false, true},
    CoarseningTraits{Coarsening::kLouvain, "louvain", false, false, false},
    CoarseningTraits{Coarsening::kHeavyEdge, "heavy-edge", false, false, true},
    CoarseningTraits{Coarsening::kRandom, "random", false, false, true},
    CoarseningTraits{Coarsening::kTopK, "top-k", true, true, false}};

template <>
struct EnumNames<Coarsening> {
  static constexpr const char* what = "coarsening";
  static constexpr auto values = names_in_table<Coarsening>(kCoarsenings);
};

constexpr const CoarseningTraits& traits_of(Coarsening coarsening) {
  return row_in_table(kCoarsenings, coarsening);
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
