#include "hgnet/coarsening/louvain.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <numeric>
#include <string>
#include <utility>

#include "core/parallel.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/core/random.hpp"

namespace hgnet {
namespace {

/// A graph as local moving sees it: self-loops are kept apart from the edges, since they move with
/// their node.
struct Weighted {
  CsrView csr;
  std::vector<double> weights;  // by slot; empty: all 1
  std::vector<double> degree;   // by node, self-loops twice
  double total = 0;             // 2m, the sum of the degrees

  double weight(EdgeId s) const { return weights.empty() ? 1.0 : weights[s]; }
};

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

/// The gain of moving v into a community, up to the factor 1/m and a constant: the weight of v's
/// edges into it, minus what chance would give.
double modularity_gain(double weight_into, double degree, double community_degree, double total) {
  return weight_into - degree * community_degree / total;
}

/// Whether a node may leave its community for one of equal gain; see louvain().
enum class Ties { kSettle, kLeave };

class LocalMoving {
 public:
  /// Starts from the given communities; there are at most as many as nodes.
  LocalMoving(const Weighted& graph, std::span<const NodeId> start, Ties ties, Generator& generator)
      : graph_(graph),
        ties_(ties),
        generator_(generator),
        community_(start.begin(), start.end()),
        community_degree_(graph.degree.size(), 0.0),
        community_size_(graph.degree.size(), 0),
        weight_into_(graph.degree.size(), 0.0),
        queue_(graph.degree.size()),
        queued_(graph.degree.size(), 1),
        sideways_(graph.degree.size(), 0) {
    for (std::size_t v = 0; v < start.size(); ++v) {
      community_degree_[start[v]] += graph.degree[v];
      ++community_size_[start[v]];
    }
    std::iota(queue_.begin(), queue_.end(), 0);
    generator.shuffle(std::span<NodeId>(queue_));
  }

  /// The community of each node, with arbitrary numbers.
  std::vector<NodeId> run() {
    if (graph_.total <= 0) return std::move(community_);
    const std::vector<NodeId> order = queue_;
    bool moved = true;
    while (moved) {
      while (!queue_.empty()) visit_queue();
      // A move also changes the gains of its old and new community for nodes that are not
      // neighbours.
      moved = false;
      for (const NodeId v : order) moved = try_move(v) || moved;
    }
    return std::move(community_);
  }

 private:
  void visit_queue() {
    std::vector<NodeId> now;
    std::swap(now, queue_);
    for (const NodeId v : now) {
      queued_[v] = 0;
      try_move(v);
    }
  }

  bool try_move(NodeId v) {
    const NodeId old = community_[v];
    const double degree = graph_.degree[v];
    collect_weights(v);
    community_degree_[old] -= degree;
    const auto gain = [&](NodeId c) {
      return modularity_gain(weight_into_[c], degree, community_degree_[c], graph_.total);
    };
    NodeId best = old;
    double best_gain = gain(old);
    --community_size_[old];
    std::uint64_t equals = 1;  // how many are as good and as large as the best so far
    bool improved = false;
    for (const NodeId c : touched_) {
      const double here = gain(c);
      if (c == old || here < best_gain) continue;
      // A gain that could be due to rounding counts as none.
      const bool better = here > best_gain + kLeastGain * degree;
      if (!better && (ties_ == Ties::kLeave || community_size_[c] < community_size_[best]))
        continue;
      const bool equal = !better && community_size_[c] == community_size_[best];
      if (equal && best == old && sideways_[v] != 0) continue;
      equals = equal ? equals + 1 : 1;
      if (generator_.below(equals) > 0) continue;
      best = c;
      best_gain = here;
      improved = improved || better;
    }
    // The size without v distinguishes a sideways move from one into a larger community.
    if (best != old && !improved && community_size_[best] == community_size_[old]) sideways_[v] = 1;
    ++community_size_[best];
    community_degree_[best] += degree;
    for (const NodeId c : touched_) weight_into_[c] = 0;
    weight_into_[old] = 0;
    if (best == old) return false;
    community_[v] = best;
    for (EdgeId s = graph_.csr.offsets[v]; s < graph_.csr.offsets[v + 1]; ++s) {
      const NodeId u = graph_.csr.columns[s];
      if (community_[u] != best && queued_[u] == 0) {
        queued_[u] = 1;
        queue_.push_back(u);
      }
    }
    return true;
  }

  /// Computes weight_into_ for the communities of v's neighbours, which are listed in touched_.
  void collect_weights(NodeId v) {
    touched_.clear();
    for (EdgeId s = graph_.csr.offsets[v]; s < graph_.csr.offsets[v + 1]; ++s) {
      const NodeId u = graph_.csr.columns[s];
      if (u == v) continue;
      const NodeId c = community_[u];
      if (weight_into_[c] == 0) touched_.push_back(c);
      weight_into_[c] += graph_.weight(s);
    }
  }

  static constexpr double kLeastGain = 1e-10;

  const Weighted& graph_;
  const Ties ties_;
  Generator& generator_;
  std::vector<NodeId> community_;
  std::vector<double> community_degree_;
  std::vector<NodeId> community_size_;
  std::vector<double> weight_into_;
  std::vector<NodeId> touched_;
  std::vector<NodeId> queue_;
  std::vector<char> queued_;
  std::vector<char> sideways_;  // by node: whether it has made its one sideways move
};

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
ParentMap gathered(const Weighted& graph, Generator& generator) {
  const auto singletons = ParentMap::identity(static_cast<NodeId>(graph.degree.size()));
  return ParentMap::from_labels(
      LocalMoving(graph, singletons.parents(), Ties::kSettle, generator).run());
}

/// Local moving from communities that are already good.
ParentMap refined(const Weighted& graph, const ParentMap& start, Generator& generator) {
  return ParentMap::from_labels(LocalMoving(graph, start.parents(), Ties::kLeave, generator).run());
}

/// Rounds of local moving on ever coarser graphs of communities, until modularity stops rising.
ParentMap merged_to_the_top(const Weighted& input, ParentMap result, Generator& generator) {
  double best = modularity_of(input, result);
  CoarseRound round;
  contract_round(input, result, round);
  while (true) {
    const ParentMap merged = gathered(round.graph, generator);
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
  const ParentMap first = gathered(input, generator);
  if (options.partition == Partition::kFirstPass) return first;
  ParentMap best = merged_to_the_top(input, first, generator);
  // Nodes that moved with their community may now fit better elsewhere.
  const ParentMap again = merged_to_the_top(input, refined(input, best, generator), generator);
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
