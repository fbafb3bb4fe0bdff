#include "hgnet/coarsening/louvain.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <numeric>
#include <string>
#include <utility>

#include "coarsening/local_moving.hpp"
#include "core/parallel.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/core/random.hpp"

namespace hgnet {
namespace {

Weighted weighted(const Graph& graph, EdgeWeights use) {
  Weighted result{graph.csr(), {}, std::vector<double>(graph.num_nodes(), 0.0), 0.0};
  if (use == EdgeWeights::kOwn)
    result.weights.assign(graph.weights().begin(), graph.weights().end());
  for (NodeId v = 0; v < graph.num_nodes(); ++v) {
    for (EdgeId s = graph.offsets()[v]; s < graph.offsets()[v + 1]; ++s) {
      const double w = result.weight(s);
      if (!(w >= 0)) {
        throw InvalidGraph("louvain: an edge of node " + std::to_string(v) +
                           " has a negative weight");
      }
      result.degree[v] += graph.columns()[s] == v ? 2 * w : w;
    }
    result.total += result.degree[v];
  }
  return result;
}

/// Storage behind the Weighted graph of a coarser round.
struct CoarseRound {
  std::vector<EdgeId> offsets{0};
  std::vector<NodeId> columns;
  Weighted graph;
};

/// Communities as nodes: weights between them summed, weights inside kept in their degrees.
void contract_round(const Weighted& fine, const ParentMap& community, CoarseRound& coarse) {
  const NodeId n = community.num_parents();
  std::vector<double> weight_to(n, 0.0);
  std::vector<NodeId> touched;
  coarse.graph.degree.assign(n, 0.0);
  for (NodeId p = 0; p < n; ++p) {
    touched.clear();
    for (const NodeId v : community.members(p)) {
      coarse.graph.degree[p] += fine.degree[v];
      for (EdgeId s = fine.csr.offsets[v]; s < fine.csr.offsets[v + 1]; ++s) {
        const NodeId q = community.parent(fine.csr.columns[s]);
        if (q == p) continue;
        if (weight_to[q] == 0) touched.push_back(q);
        weight_to[q] += fine.weight(s);
      }
    }
    for (const NodeId q : touched) {
      coarse.columns.push_back(q);
      coarse.graph.weights.push_back(std::exchange(weight_to[q], 0.0));
    }
    coarse.offsets.push_back(static_cast<EdgeId>(coarse.columns.size()));
  }
  coarse.graph.total = fine.total;
  coarse.graph.csr = {coarse.offsets, coarse.columns, n};
}

double modularity_of(const Weighted& graph, const ParentMap& community) {
  if (graph.total <= 0) return 0;
  double inside = 0;  // both directions of every edge within a community, self-loops twice
  std::vector<double> degree(community.num_parents(), 0.0);
  for (NodeId v = 0; v < community.num_children(); ++v) {
    const NodeId c = community.parent(v);
    degree[c] += graph.degree[v];
    for (EdgeId s = graph.csr.offsets[v]; s < graph.csr.offsets[v + 1]; ++s) {
      const NodeId u = graph.csr.columns[s];
      if (community.parent(u) == c) inside += u == v ? 2 * graph.weight(s) : graph.weight(s);
    }
  }
  double by_chance = 0;
  for (const double k : degree) by_chance += k / graph.total * (k / graph.total);
  return inside / graph.total - by_chance;
}

/// Local moving from singletons.
ParentMap gathered(const Weighted& graph, Generator& generator, int threads) {
  const auto singletons = ParentMap::identity(static_cast<NodeId>(graph.degree.size()));
  return ParentMap::from_labels(
      local_moves(graph, singletons.parents(), Ties::kSettle, generator, threads));
}

/// Local moving from communities that are already good.
ParentMap refined(const Weighted& graph, const ParentMap& start, Generator& generator,
                  int threads) {
  return ParentMap::from_labels(
      local_moves(graph, start.parents(), Ties::kLeave, generator, threads));
}

/// Rounds of local moving on ever coarser graphs of communities, until modularity stops rising.
ParentMap merged_to_the_top(const Weighted& input, ParentMap result, Generator& generator,
                            int threads) {
  double best = modularity_of(input, result);
  CoarseRound round;
  contract_round(input, result, round);
  while (true) {
    const ParentMap merged = gathered(round.graph, generator, threads);
    if (merged.num_parents() == merged.num_children()) return result;
    ParentMap candidate = result.then(merged);
    const double here = modularity_of(input, candidate);
    if (!(here > best)) return result;
    result = std::move(candidate);
    best = here;
    CoarseRound next;
    contract_round(round.graph, merged, next);
    round = std::move(next);
    round.graph.csr = {round.offsets, round.columns, merged.num_parents()};
  }
}

}  // namespace

double modularity(const Graph& graph, const ParentMap& community, EdgeWeights weights) {
  if (community.num_children() != graph.num_nodes() || !community.is_total()) {
    throw InvalidHierarchy("modularity: every one of the graph's " +
                           std::to_string(graph.num_nodes()) + " nodes needs a community");
  }
  return modularity_of(weighted(graph, weights), community);
}

ParentMap louvain(const Graph& graph, const LouvainOptions& options) {
  Generator generator(options.seed);
  const Weighted input = weighted(graph, options.weights);
  const ParentMap first = gathered(input, generator, options.threads);
  if (options.partition == Partition::kFirstPass) return first;
  ParentMap best = merged_to_the_top(input, first, generator, options.threads);
  // Nodes that moved with their community may now fit better elsewhere.
  const ParentMap again = merged_to_the_top(input, refined(input, best, generator, options.threads),
                                            generator, options.threads);
  return modularity_of(input, again) > modularity_of(input, best) ? again : best;
}

std::vector<ParentMap> louvain(std::span<const Graph> graphs, const LouvainOptions& options,
                               int threads) {
  std::vector<ParentMap> result(graphs.size());
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const int parts = static_cast<int>(std::min<std::size_t>(std::max(threads, 1), graphs.size()));
  run_parts(parts, [&](int) {
    for (std::size_t g = next++; g < graphs.size(); g = next++) {
      try {
        result[g] = louvain(graphs[g], options);
      } catch (...) {
        const std::scoped_lock lock(mutex);
        failure = std::current_exception();
        return;
      }
    }
  });
  if (failure) std::rethrow_exception(failure);
  return result;
}

}  // namespace hgnet
