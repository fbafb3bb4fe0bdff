#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "hgnet/core/enum_names.hpp"
#include "hgnet/graph/graph.hpp"
#include "hgnet/graph/parent_map.hpp"

namespace hgnet {

/// Whether modularity counts edges or adds up their weights.
enum class EdgeWeights { kUnit, kOwn };

enum class Partition {
  kFirstPass,  // communities of the first round of local moving: level 0 of the dendrogram
  kBest,       // rounds on ever coarser graphs until modularity stops rising; then once more from
               // there, starting with moves of single nodes; the better of the two
};

template <>
struct EnumNames<Partition> {
  static constexpr const char* what = "partition";
  static constexpr std::array<std::pair<Partition, const char*>, 2> values{
      {{Partition::kFirstPass, "first-pass"}, {Partition::kBest, "best"}}};
};

struct LouvainOptions {
  std::uint64_t seed = 0;  // of the order in which nodes are visited
  EdgeWeights weights = EdgeWeights::kUnit;
  Partition partition = Partition::kFirstPass;
};

/// Q = sum over communities of (w_in / m - (k / 2m)^2): w_in the weight of the edges inside, k the
/// sum of its nodes' degrees, m the weight of all edges; a self-loop counts twice in its node's
/// degree. 0 without edges.
double modularity(const Graph& graph, const ParentMap& community,
                  EdgeWeights weights = EdgeWeights::kUnit);

/// Louvain's method (Blondel et al. 2008). Local moving: starting from singletons, nodes in a seeded random
/// order each move to the neighbouring community that raises modularity most, until no single move raises it.
/// Of communities that are worth the same, the own one among them, the one of most nodes is taken; of equally
/// large ones a random one, but each node leaves its own for an equal only once. Where ties are everywhere, as in
/// sparse and regular graphs, this makes the communities clearly better. Such moves make large communities
/// larger or are counted, so they come to an end.
/// After the first visit of all nodes only those are looked at again whose neighbours moved; a last walk over
/// all nodes makes sure that nothing was missed. Weights must not be negative (InvalidGraph).
ParentMap louvain(const Graph& graph, const LouvainOptions& options = {});

/// Every graph by itself, as if it were alone, several at a time on up to `threads` threads. The
/// result does not depend on their number, nor a graph's communities on the other graphs.
std::vector<ParentMap> louvain(std::span<const Graph> graphs, const LouvainOptions& options,
                               int threads);

}  // namespace hgnet
