#pragma once

#include <span>
#include <vector>

#include "hgnet/core/random.hpp"
#include "hgnet/graph/csr.hpp"

namespace hgnet {

/// A graph as local moving sees it: self-loops are kept apart from the edges, since they move with
/// their node.
struct Weighted {
  CsrView csr;
  std::vector<double> weights;  // by slot; empty: all 1
  std::vector<double> degree;   // by node, self-loops twice
  double total = 0;             // 2m, the sum of the degrees

  double weight(EdgeId s) const { return weights.empty() ? 1.0 : weights[s]; }
};

/// Whether a node may leave its community for one of equal gain; see louvain().
enum class Ties { kSettle, kLeave };

/// Moves single nodes between communities until no move raises modularity. Starts from the given
/// communities, of which there are at most as many as nodes; returns that of each node, with
/// arbitrary numbers.
///
/// After the first visit to all nodes, those are visited whose neighbours moved, and then, until
/// nothing moves, those whose margin (margins.hpp) does not exclude that another community has
/// become as good.
///
/// In a graph of kLargeGraph slots or more, nodes are visited in chunks: the threads look for the
/// best move of each node of a chunk, then the moves are made one after the other. A node looks
/// again if another one of its chunk has left or entered its old or new community, so that every
/// move gains what was computed for it. Chunks do not depend on the number of threads, hence
/// neither does the result.
std::vector<NodeId> local_moves(const Weighted& graph, std::span<const NodeId> start, Ties ties,
                                Generator& generator, int threads);

inline constexpr EdgeId kLargeGraph = 1 << 20;

}  // namespace hgnet
