#include "coarsening/local_moving.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "coarsening/best_choice.hpp"
#include "coarsening/chunked_moving.hpp"
#include "coarsening/margins.hpp"

namespace hgnet {
namespace {

/// One node after the other, each seeing all moves before its own.
class LocalMoving {
 public:
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

  std::vector<NodeId> run() && {
    const std::vector<NodeId> order = queue_;
    bool moved = true;
    for (int sweep = 0; moved; ++sweep) {
      while (!queue_.empty()) visit_queue();
      // A move also changes the gains of its old and new community for nodes that are not
      // neighbours. Margins would cost small graphs more than the first sweep, so they begin with
      // the second.
      if (sweep > 0) begin_margins();
      moved = false;
      for (const NodeId v : order) moved = revisit(v) || moved;
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

  void begin_margins() {
    constexpr EdgeId kSlotsPerSweep = 4;  // times those of the graph, for lowering margins
    budget_ = kSlotsPerSweep * graph_.csr.num_slots();
    if (!margins_) margins_.emplace(graph_, community_);
  }

  /// try_move(), unless the margin says that it would neither move nor draw.
  bool revisit(NodeId v) {
    const bool skip =
        margins_ && queued_[v] == 0 && margins_->is_above(v, kLeastGain * graph_.degree[v]);
    if (!skip) return try_move(v);
    // What a visit does to the sum: with weights that have fractions this may round.
    double& sum = community_degree_[community_[v]];
    sum -= graph_.degree[v];
    sum += graph_.degree[v];
    return false;
  }

  /// Where lowering margins takes longer than visits, there are none until the next sweep.
  void lower_margins(NodeId v, NodeId from, NodeId to) {
    margins_->relink(v, from, to);
    budget_ -= margins_->lower(graph_.degree[v], from, to, [](NodeId) {});
    if (budget_ < 0) margins_.reset();
  }

  bool try_move(NodeId v) {
    const NodeId old = community_[v];
    const double degree = graph_.degree[v];
    collect_weights(v);
    community_degree_[old] -= degree;
    --community_size_[old];
    const auto gain = [&](NodeId c) {
      return modularity_gain(weight_into_[c], degree, community_degree_[c], graph_.total);
    };
    const Choice choice = best_choice(
        old, touched_.size(), [&](std::size_t i) { return touched_[i]; }, sideways_[v] == 0, ties_,
        kLeastGain * degree, gain, [&](NodeId c) { return community_size_[c]; },
        [&](std::uint64_t n) { return generator_.below(n); });
    const NodeId best = choice.to;
    if (choice.sideways) sideways_[v] = 1;
    if (margins_) margins_->set(v, choice.margin);
    ++community_size_[best];
    community_degree_[best] += degree;
    for (const NodeId c : touched_) weight_into_[c] = 0;
    weight_into_[old] = 0;
    if (best == old) return false;
    community_[v] = best;
    if (margins_) lower_margins(v, old, best);
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
  std::optional<Margins> margins_;
  EdgeId budget_ = 0;  // slots that lowering margins may still go through
};

}  // namespace

std::vector<NodeId> local_moves(const Weighted& graph, std::span<const NodeId> start, Ties ties,
                                Generator& generator, int threads) {
  if (graph.total <= 0) return {start.begin(), start.end()};
  if (graph.csr.num_slots() < kLargeGraph) return LocalMoving(graph, start, ties, generator).run();
  return chunked_moves(graph, start, ties, generator, std::max(threads, 1));
}

}  // namespace hgnet
