#include "coarsening/local_moving.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/parallel.hpp"

namespace hgnet {
namespace {

/// The gain of moving v into a community, up to the factor 1/m and a constant: the weight of v's
/// edges into it, minus what chance would give.
double modularity_gain(double weight_into, double degree, double community_degree, double total) {
  return weight_into - degree * community_degree / total;
}

constexpr double kLeastGain = 1e-10;

struct Choice {
  NodeId to;
  bool sideways = false;  // into a community that is as good and as large as the node's own
};

/// Where a node of community `old` goes, given those of its neighbours. gain(c) and size(c) are of
/// communities without the node; draw(n) is random below n.
template <class At, class Gain, class Size, class Draw>
Choice best_choice(NodeId old, std::size_t count, const At& near, bool may_go_sideways, Ties ties,
                   double least_gain, const Gain& gain, const Size& size, const Draw& draw) {
  NodeId best = old;
  double best_gain = gain(old);
  std::uint64_t equals = 1;  // how many are as good and as large as the best so far
  bool improved = false;
  for (std::size_t i = 0; i < count; ++i) {
    const NodeId c = near(i);
    if (c == old) continue;
    const double here = gain(c);
    if (here < best_gain) continue;
    // A gain that could be due to rounding counts as none.
    const bool better = here > best_gain + least_gain;
    if (!better && (ties == Ties::kLeave || size(c) < size(best))) continue;
    const bool equal = !better && size(c) == size(best);
    if (equal && best == old && !may_go_sideways) continue;
    equals = equal ? equals + 1 : 1;
    if (draw(equals) > 0) continue;
    best = c;
    best_gain = here;
    improved = improved || better;
  }
  return {best, best != old && !improved && size(best) == size(old)};
}

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
    --community_size_[old];
    const auto gain = [&](NodeId c) {
      return modularity_gain(weight_into_[c], degree, community_degree_[c], graph_.total);
    };
    const auto [best, sideways] = best_choice(
        old, touched_.size(), [&](std::size_t i) { return touched_[i]; }, sideways_[v] == 0, ties_,
        kLeastGain * degree, gain, [&](NodeId c) { return community_size_[c]; },
        [&](std::uint64_t n) { return generator_.below(n); });
    if (sideways) sideways_[v] = 1;
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

/// The same in chunks; see local_moves().
class ChunkedMoving {
 public:
  ChunkedMoving(const Weighted& graph, std::span<const NodeId> start, Ties ties,
                Generator& generator, int threads)
      : graph_(graph),
        ties_(ties),
        threads_(threads),
        seed_(generator()),
        community_(start.begin(), start.end()),
        sums_(graph.degree.size()),
        queue_(graph.degree.size()),
        queued_(graph.degree.size(), 1),
        sideways_(graph.degree.size(), 0),
        near_(threads),
        woken_(threads),
        choices_(kChunk) {
    for (std::size_t v = 0; v < start.size(); ++v) {
      sums_[start[v]].degree += graph.degree[v];
      ++sums_[start[v]].size;
    }
    std::iota(queue_.begin(), queue_.end(), 0);
    generator.shuffle(std::span<NodeId>(queue_));
  }

  std::vector<NodeId> run() && {
    const std::vector<NodeId> order = queue_;
    bool moved = true;
    while (moved) {
      while (!queue_.empty()) visit_queue();
      queue_ = order;
      std::ranges::fill(queued_, 1);
      moved = visit_queue();
    }
    return std::move(community_);
  }

 private:
  static constexpr std::size_t kChunk = 2048;

  struct Sums {
    double degree = 0;
    NodeId size = 0;
    std::uint32_t changed = 0;  // the last chunk that changed it
  };

  /// The communities of a node's neighbours and the weight of its edges into each.
  struct Near {
    std::vector<NodeId> communities;
    std::vector<double> weights;
    std::vector<NodeId> place;  // by community: where it is in the lists; for long rows
  };

  /// Returns whether any node moved.
  bool visit_queue() {
    ++pass_;
    std::vector<NodeId> now;
    std::swap(now, queue_);
    bool moved = false;
    for (std::size_t begin = 0; begin < now.size(); begin += kChunk) {
      const std::size_t size = std::min(kChunk, now.size() - begin);
      moved = visit_chunk(std::span(now).subspan(begin, size)) || moved;
    }
    return moved;
  }

  bool visit_chunk(std::span<const NodeId> nodes) {
    ++chunk_;
    for_parts(nodes.size(), [&](int part, std::size_t i) {
      queued_[nodes[i]] = 0;
      choices_[i] = choice_of(nodes[i], near_[part]);
    });
    bool moved = false;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const NodeId v = nodes[i];
      const NodeId old = community_[v];
      if (choices_[i].to != old && (is_changed(old) || is_changed(choices_[i].to)))
        choices_[i] = choice_of(v, near_[0]);
      if (choices_[i].to == old) {
        choices_[i].to = kNoNode;
        continue;
      }
      move(v, choices_[i]);
      moved = true;
    }
    if (!moved) return false;
    for_parts(nodes.size(), [&](int part, std::size_t i) {
      if (choices_[i].to != kNoNode) wake_neighbours(nodes[i], woken_[part]);
    });
    for (std::vector<NodeId>& woken : woken_) {
      for (const NodeId v : woken) {
        if (std::exchange(queued_[v], 1) == 0) queue_.push_back(v);
      }
      woken.clear();
    }
    return true;
  }

  template <class Body>
  void for_parts(std::size_t size, const Body& body) const {
    run_parts(threads_, [&](int part) {
      const std::size_t end = size * (part + 1) / threads_;
      for (std::size_t i = size * part / threads_; i < end; ++i) body(part, i);
    });
  }

  bool is_changed(NodeId community) const { return sums_[community].changed == chunk_; }

  void move(NodeId v, Choice choice) {
    Sums& from = sums_[community_[v]];
    Sums& to = sums_[choice.to];
    from.degree -= graph_.degree[v];
    to.degree += graph_.degree[v];
    --from.size;
    ++to.size;
    from.changed = to.changed = chunk_;
    community_[v] = choice.to;
    if (choice.sideways) sideways_[v] = 1;
  }

  void wake_neighbours(NodeId v, std::vector<NodeId>& woken) const {
    for (EdgeId s = graph_.csr.offsets[v]; s < graph_.csr.offsets[v + 1]; ++s) {
      const NodeId u = graph_.csr.columns[s];
      if (queued_[u] == 0 && community_[u] != community_[v]) woken.push_back(u);
    }
  }

  Choice choice_of(NodeId v, Near& near) const {
    collect_weights(v, near);
    const NodeId old = community_[v];
    const double degree = graph_.degree[v];
    std::uint64_t draws = 0;
    // Positions in the lists stand for communities, so that a weight need not be looked up.
    const auto sums = [&](NodeId place) -> const Sums& { return sums_[near.communities[place]]; };
    const auto gain = [&](NodeId place) {
      const double others = sums(place).degree - (place == 0 ? degree : 0.0);
      return modularity_gain(near.weights[place], degree, others, graph_.total);
    };
    const auto size = [&](NodeId place) { return sums(place).size - (place == 0 ? 1 : 0); };
    const auto draw = [&](std::uint64_t n) { return drawn_below(n, v, draws++); };
    const auto place = [](std::size_t i) { return static_cast<NodeId>(i); };
    Choice choice = best_choice(NodeId{0}, near.communities.size(), place, sideways_[v] == 0, ties_,
                                kLeastGain * degree, gain, size, draw);
    choice.to = choice.to == 0 ? old : near.communities[choice.to];
    return choice;
  }

  /// Fills `near`, the node's own community first. Short rows are searched; for long ones a table
  /// says where a community is.
  void collect_weights(NodeId v, Near& near) const {
    constexpr EdgeId kShortRow = 32;
    const EdgeId begin = graph_.csr.offsets[v];
    const EdgeId end = graph_.csr.offsets[v + 1];
    const bool is_short = end - begin <= kShortRow;
    if (!is_short && near.place.empty()) near.place.resize(sums_.size(), 0);
    near.communities.assign(1, community_[v]);
    near.weights.assign(1, 0.0);
    for (EdgeId s = begin; s < end; ++s) {
      const NodeId u = graph_.csr.columns[s];
      if (u == v) continue;
      const NodeId c = community_[u];
      const std::size_t place = is_short ? searched(near, c) : looked_up(near, c);
      if (place == near.communities.size()) {
        if (!is_short) near.place[c] = static_cast<NodeId>(place);
        near.communities.push_back(c);
        near.weights.push_back(0.0);
      }
      near.weights[place] += graph_.weight(s);
    }
  }

  static std::size_t searched(const Near& near, NodeId c) {
    return std::ranges::find(near.communities, c) - near.communities.begin();
  }

  /// Entries of the table may be of an earlier node.
  static std::size_t looked_up(const Near& near, NodeId c) {
    const auto place = static_cast<std::size_t>(near.place[c]);
    return place < near.communities.size() && near.communities[place] == c
               ? place
               : near.communities.size();
  }

  /// Random below n, for the k-th draw of a visit to v: a hash, so that no thread waits for
  /// another.
  std::uint64_t drawn_below(std::uint64_t n, NodeId v, std::uint64_t k) const {
    std::uint64_t x = seed_ + 0x9e3779b97f4a7c15U * (static_cast<std::uint64_t>(v) + 1) +
                      0xd1b54a32d192ed03U * pass_ + 0x8cb92ba72f3d8dd7U * k;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    x ^= x >> 31;
    return ((x >> 32) * n) >> 32;
  }

  const Weighted& graph_;
  const Ties ties_;
  const int threads_;
  const std::uint64_t seed_;
  std::vector<NodeId> community_;
  std::vector<Sums> sums_;  // by community
  std::vector<NodeId> queue_;
  std::vector<char> queued_;
  std::vector<char> sideways_;              // by node: whether it has made its one sideways move
  std::vector<Near> near_;                  // by part
  std::vector<std::vector<NodeId>> woken_;  // by part: nodes to visit again, if not queued yet
  std::vector<Choice> choices_;
  std::uint64_t pass_ = 0;
  std::uint32_t chunk_ = 0;
};

}  // namespace

std::vector<NodeId> local_moves(const Weighted& graph, std::span<const NodeId> start, Ties ties,
                                Generator& generator, int threads) {
  if (graph.total <= 0) return {start.begin(), start.end()};
  if (graph.csr.num_slots() < kLargeGraph) return LocalMoving(graph, start, ties, generator).run();
  return ChunkedMoving(graph, start, ties, generator, std::max(threads, 1)).run();
}

}  // namespace hgnet
