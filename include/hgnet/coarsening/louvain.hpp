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

/// Whether modularity counts edges or sums their weights.
enum class EdgeWeights { kUnit, kOwn };

enum class Partition {
  kFirstPass,  // communities after the first round of local moving: level 0 of the dendrogram
  kBest,       // rounds on ever coarser graphs until modularity stops rising, then the same again
               // from that result, starting with moves of single nodes; the better of the two
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
  int threads = 1;  // the result does not depend on it
};

/// Q = sum over communities of (w_in / m - (k / 2m)^2), where w_in is the weight of the edges
/// inside the community, k the sum of its nodes' degrees and m the weight of all edges. A self-loop
/// counts twice in its node's degree. 0 for a graph without edges.
double modularity(const Graph& graph, const ParentMap& community,
                  EdgeWeights weights = EdgeWeights::kUnit);

/// Louvain's method (Blondel et al. 2008). Local moving: starting from singletons and in a seeded
/// random order, each node moves to the neighbouring community that raises modularity most, until
/// no single move raises it. Among communities of equal gain, including the node's own, it takes
/// the one with the most nodes, and among equally large ones a random one; but each node leaves its
/// own community for an equally good one only once. In sparse and regular graphs, where ties are
/// everywhere, this gives clearly better communities. It terminates: such moves either make large
/// communities larger or are limited in number.
/// After the first visit to all nodes, only nodes are visited again whose neighbours moved, or for
/// which moves elsewhere may have made another community as good; nothing is missed. A graph of a
/// million directed edges or more is visited in chunks of nodes, on all threads
/// (src/coarsening/local_moving.hpp). Weights must not be negative (InvalidGraph).
ParentMap louvain(const Graph& graph, const LouvainOptions& options = {});

/// Each graph separately, several at a time on up to `threads` threads. The result does not depend
/// on the number of threads, nor do a graph's communities depend on the other graphs.
std::vector<ParentMap> louvain(std::span<const Graph> graphs, const LouvainOptions& options,
                               int threads);

}  // namespace hgnet
