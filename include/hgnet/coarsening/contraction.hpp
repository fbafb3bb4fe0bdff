#pragma once

#include <span>
#include <vector>

#include "hgnet/graph/graph.hpp"
#include "hgnet/graph/parent_map.hpp"

namespace hgnet {

inline constexpr EdgeId kNoSlot = -1;

/// Pairs of fine nodes, each made into one coarse node; the other nodes stay alone.
struct Contraction {
  ParentMap parent;
  /// By coarse node: the slot of the directed edge that was contracted, kNoSlot for a node left
  /// alone.
  std::vector<EdgeId> slot;
};

/// EdgePool's choice: go through the directed edges from the highest score to the lowest and
/// contract u -> v if neither end is taken; of equal scores the larger edge id, that is the larger
/// (source, target), goes first. `scores` are by slot. A self-loop, where the graph has one, takes
/// part: contracting it takes its node and leaves it alone. Edges whose score is not a number, or minus infinity, are never contracted.
///
/// Found as the locally-dominant matching (Preis; Manne and Bisseling): contract every edge that
/// beats all other edges at both its ends, and repeat. A total order of the edges makes that the
/// same matching as the greedy one, without a global sort. Linear time in practice; a
/// hub whose neighbours are taken one by one may be gone through once for each of them.
template <class T>
Contraction contract_edges(const Graph& graph, std::span<const T> scores);

}  // namespace hgnet
