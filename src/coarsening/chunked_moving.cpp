#include "coarsening/chunked_moving.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "coarsening/best_choice.hpp"
#include "coarsening/margins.hpp"
#include "coarsening/near_communities.hpp"
#include "core/parallel.hpp"

namespace hgnet {
namespace {

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
    std::vector<NodeId> order = queue_;
    while (!queue_.empty()) visit_queue();
    // A move also changes the gains of its old and new community for nodes that are not its
    // neighbours. From here on margins tell which of them to visit.
    margins_.emplace(graph_, community_);
    deferred_.assign(queued_.size(), 0);
    queue_ = std::move(order);
    std::ranges::fill(queued_, 1);
    while (!queue_.empty()) {
      while (!queue_.empty()) {
        visit_queue();
        lower_margins();
      }
      wake_deferred();
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

  void visit_queue() {
    ++pass_;
    std::vector<NodeId> now;
    std::swap(now, queue_);
    for (std::size_t begin = 0; begin < now.size(); begin += kChunk) {
      const std::size_t size = std::min(kChunk, now.size() - begin);
      visit_chunk(std::span(now).subspan(begin, size));
    }
  }

  void visit_chunk(std::span<const NodeId> nodes) {
    ++chunk_;
    for_parts(nodes.size(), [&](int part, std::size_t i) {
      fetch_ahead(nodes, i);
      queued_[nodes[i]] = 0;
      choices_[i] = chosen(nodes[i], near_[part]);
    });
    bool moved = false;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const NodeId v = nodes[i];
      const NodeId old = community_[v];
      if (choices_[i].to != old && (is_changed(old) || is_changed(choices_[i].to)))
        choices_[i] = chosen(v, near_[0]);
      if (choices_[i].to == old) {
        if (margins_ && choices_[i].declined) defer(v);
        choices_[i].to = kNoNode;
        continue;
      }
      move(v, choices_[i]);
      moved = true;
    }
    if (moved) wake_neighbours(nodes);
  }

  /// Of those nodes of a chunk that moved.
  void wake_neighbours(std::span<const NodeId> nodes) {
    for_parts(nodes.size(), [&](int part, std::size_t i) {
      if (choices_[i].to != kNoNode) list_woken(nodes[i], woken_[part]);
    });
    for (std::vector<NodeId>& woken : woken_) {
      for (const NodeId v : woken) {
        wake(v);
      }
      woken.clear();
    }
  }

  /// After a pass: defers visits to nodes for which its moves may have made another community as
  /// good. Where finding them would take longer than visiting all nodes, these are all nodes.
  void lower_margins() {
    const EdgeId most = 4 * graph_.csr.num_slots();
    EdgeId slots = 0;
    for (const auto& [v, from] : moves_) {
      slots += margins_->lower(graph_.degree[v], from, community_[v], [&](NodeId u) { defer(u); });
      if (slots > most) {
        for (NodeId u = 0; u < graph_.csr.num_rows(); ++u) defer(u);
        break;
      }
    }
    moves_.clear();
  }

  /// Ties wait until no neighbour of a node that moved is left to visit: by then they may be
  /// decided, and a node's one sideways move is not wasted.
  void defer(NodeId v) {
    if (std::exchange(deferred_[v], 1) == 0) later_.push_back(v);
  }

  void wake_deferred() {
    for (const NodeId v : later_) {
      deferred_[v] = 0;
      if (!margins_->is_above(v, kLeastGain * graph_.degree[v])) wake(v);
    }
    later_.clear();
  }

  void wake(NodeId v) {
    if (std::exchange(queued_[v], 1) == 0) queue_.push_back(v);
  }

  /// A row, the communities of its neighbours and their sums are in four places of memory, each
  /// found through the one before. All are requested some nodes before they are needed.
  void fetch_ahead(std::span<const NodeId> nodes, std::size_t i) const {
    if (i + 24 < nodes.size()) {
      __builtin_prefetch(&graph_.csr.offsets[nodes[i + 24]]);
      __builtin_prefetch(&graph_.degree[nodes[i + 24]]);
    }
    if (i + 16 < nodes.size())
      __builtin_prefetch(graph_.csr.columns.data() + graph_.csr.offsets[nodes[i + 16]]);
    if (i + 8 < nodes.size()) {
      for (const NodeId u : row(nodes[i + 8])) __builtin_prefetch(&community_[u]);
    }
    if (i + 4 < nodes.size()) {
      for (const NodeId u : row(nodes[i + 4])) __builtin_prefetch(&sums_[community_[u]]);
    }
  }

  std::span<const NodeId> row(NodeId v) const {
    const EdgeId begin = graph_.csr.offsets[v];
    return graph_.csr.columns.subspan(begin, graph_.csr.offsets[v + 1] - begin);
  }

  template <class Body>
  void for_parts(std::size_t size, const Body& body) const {
    constexpr std::size_t kLeast = 256;  // for less, waking a thread takes longer than the work
    const int parts = size < kLeast ? 1 : threads_;
    run_parts(parts, [&](int part) {
      const std::size_t end = size * (part + 1) / parts;
      for (std::size_t i = size * part / parts; i < end; ++i) body(part, i);
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
    if (margins_) {
      margins_->relink(v, community_[v], choice.to);
      moves_.emplace_back(v, community_[v]);
    }
    community_[v] = choice.to;
    if (choice.sideways) sideways_[v] = 1;
  }

  void list_woken(NodeId v, std::vector<NodeId>& woken) const {
    for (EdgeId s = graph_.csr.offsets[v]; s < graph_.csr.offsets[v + 1]; ++s) {
      const NodeId u = graph_.csr.columns[s];
      if (queued_[u] == 0 && community_[u] != community_[v]) woken.push_back(u);
    }
  }

  Choice chosen(NodeId v, NearCommunities& near) {
    const Choice choice = choice_of(v, near);
    if (margins_) margins_->set(v, choice.margin);
    return choice;
  }

  Choice choice_of(NodeId v, NearCommunities& near) const {
    near.collect(graph_, community_, v);
    const NodeId old = community_[v];
    const double degree = graph_.degree[v];
    std::uint64_t draws = 0;
    // Positions in the lists stand for communities, so that a weight need not be looked up.
    const auto sums = [&](NodeId place) -> const Sums& { return sums_[near.communities[place]]; };
    const double share = degree / graph_.total;
    const auto gain = [&](NodeId place) {
      const double others = sums(place).degree - (place == 0 ? degree : 0.0);
      return near.weights[place] - share * others;
    };
    const auto size = [&](NodeId place) { return sums(place).size - (place == 0 ? 1 : 0); };
    const auto draw = [&](std::uint64_t n) { return drawn_below(n, v, draws++); };
    const auto place = [](std::size_t i) { return static_cast<NodeId>(i); };
    Choice choice = best_choice(NodeId{0}, near.count, place, sideways_[v] == 0, ties_,
                                kLeastGain * degree, gain, size, draw);
    choice.to = choice.to == 0 ? old : near.communities[choice.to];
    return choice;
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
  std::vector<NodeId> later_;
  std::vector<char> deferred_;              // by node: whether it is in later_
  std::vector<char> sideways_;              // by node: whether it has made its one sideways move
  std::vector<NearCommunities> near_;       // by part
  std::vector<std::vector<NodeId>> woken_;  // by part: nodes to visit again, if not queued yet
  std::vector<Choice> choices_;
  std::optional<Margins> margins_;
  std::vector<std::pair<NodeId, NodeId>> moves_;  // of a pass: node and old community
  std::uint64_t pass_ = 0;
  std::uint32_t chunk_ = 0;
};

}  // namespace

std::vector<NodeId> chunked_moves(const Weighted& graph, std::span<const NodeId> start, Ties ties,
                                  Generator& generator, int threads) {
  return ChunkedMoving(graph, start, ties, generator, threads).run();
}

}  // namespace hgnet
