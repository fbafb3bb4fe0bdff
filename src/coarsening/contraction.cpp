#include "hgnet/coarsening/contraction.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "coarsening/mates.hpp"
#include "hgnet/core/error.hpp"

namespace hgnet {
namespace {

/// An edge, as the better of its two directions.
struct Direction {
  NodeId source;
  NodeId target;
};

template <class T>
class LocallyDominant {
 public:
  LocallyDominant(const Graph& graph, std::span<const T> scores, const NodeOrder& order)
      : csr_(graph.csr()),
        order_(order),
        scores_(scores),
        better_score_(scores.size()),
        wanted_(graph.num_nodes(), kNoNode),
        mate_(graph.num_nodes(), kNoNode),
        searches_(graph.num_nodes(), 0) {}

  Contraction run() && {
    const auto num_nodes = static_cast<NodeId>(csr_.num_rows());
    score_edges();
    for (NodeId v = 0; v < num_nodes; ++v) wanted_[v] = best_neighbour<false>(v);
    for (NodeId v = 0; v < num_nodes; ++v) {
      contract_if_dominant(v);
      // A node whose wanted neighbour is now taken looks for the next best, which may dominate in
      // turn. Done at once, while the rows around it are in the cache.
      while (!taken_.empty()) {
        const NodeId w = taken_.back();
        taken_.pop_back();
        for (EdgeId s = csr_.offsets[w]; s < csr_.offsets[w + 1]; ++s) {
          const NodeId x = csr_.columns[s];
          if (wanted_[x] != w || mate_[x] != kNoNode) continue;
          wanted_[x] = next_best_neighbour(x);
          contract_if_dominant(x);
        }
      }
    }
    return number_by_smallest_member(mate_, [this](NodeId v) { return contracted_slot(v); });
  }

 private:
  static constexpr T kNever = -std::numeric_limits<T>::infinity();

  static T number_or_never(T score) { return std::isnan(score) ? kNever : score; }

  /// Rows are visited in order and list their neighbours in order, so the slots of u -> v, v > u,
  /// are needed one after the other in row u: a cursor per row finds the other direction of each
  /// edge.
  void score_edges() {
    std::vector<EdgeId> cursor(csr_.num_rows());
    for (NodeId v = 0; v < csr_.num_rows(); ++v) {
      EdgeId s = csr_.offsets[v];
      const EdgeId end = csr_.offsets[v + 1];
      for (; s < end && csr_.columns[s] < v; ++s) {
        const EdgeId other = cursor[csr_.columns[s]]++;
        const T into = number_or_never(scores_[s]);
        const T out = scores_[other];
        better_score_[s] = better_score_[other] = out > into ? out : into;
      }
      if (s < end && csr_.columns[s] == v) {
        better_score_[s] = number_or_never(scores_[s]);
        ++s;
      }
      cursor[v] = s;
    }
  }

  /// The slot of u -> v, which is an edge.
  EdgeId slot(NodeId u, NodeId v) const {
    const auto row = csr_.columns.begin();
    return std::lower_bound(row + csr_.offsets[v], row + csr_.offsets[v + 1], u) - row;
  }

  bool before(NodeId a, NodeId b) const {
    return place_.empty() ? order_.before(a, b) : place_[a] < place_[b];
  }

  /// Larger for the edge with the later source or, with equal sources, the later target.
  std::uint64_t key(Direction edge) const {
    return std::uint64_t{place_[edge.source]} << 32 | place_[edge.target];
  }

  /// Which of two edges of equal score goes first.
  bool beats(Direction a, Direction b) const {
    return place_.empty() ? order_.edge_after(a.source, a.target, b.source, b.target)
                          : key(a) > key(b);
  }

  /// The edge between v and the neighbour in its slot s. Only called when scores tie.
  Direction better_direction(NodeId v, EdgeId s) const {
    const NodeId u = csr_.columns[s];
    const T score = better_score_[s];
    // Of equal directions the one with the later source comes first.
    const bool into = scores_[s] == score && (!before(u, v) || scores_[slot(v, u)] != score);
    return into ? Direction{u, v} : Direction{v, u};
  }

  template <bool kSomeTaken>
  NodeId best_neighbour(NodeId v) const {
    EdgeId best = kNoSlot;
    T best_score = kNever;
    for (EdgeId s = csr_.offsets[v]; s < csr_.offsets[v + 1]; ++s) {
      if (kSomeTaken && mate_[csr_.columns[s]] != kNoNode) continue;
      const T score = better_score_[s];
      if (score == best_score && best != kNoSlot &&
          beats(better_direction(v, s), better_direction(v, best)))
        best = s;
      best = score > best_score ? s : best;
      best_score = score > best_score ? score : best_score;
    }
    return best == kNoSlot ? kNoNode : csr_.columns[best];
  }

  /// Searching the row a few times is cheaper than sorting it. In a dense graph, where many nodes
  /// want the same neighbour, there would be a search for every neighbour, so such a row is sorted.
  NodeId next_best_neighbour(NodeId v) {
    constexpr EdgeId kShortRow = 16;
    constexpr std::uint8_t kSearches = 1;
    if (csr_.offsets[v + 1] - csr_.offsets[v] <= kShortRow) return best_neighbour<true>(v);
    if (searches_[v] < kSearches) {
      ++searches_[v];
      return best_neighbour<true>(v);
    }
    if (searches_[v] == kSearches) {
      ++searches_[v];
      sort_row(v);
    }
    EdgeId& next = next_[v];
    while (next < csr_.offsets[v + 1] && ranked_[next] != kNoNode &&
           mate_[ranked_[next]] != kNoNode)
      ++next;
    return next < csr_.offsets[v + 1] ? ranked_[next] : kNoNode;
  }

  void sort_row(NodeId v) {
    if (ranked_.empty()) {
      ranked_.resize(scores_.size());
      next_.resize(mate_.size());
    }
    row_.clear();
    for (EdgeId s = csr_.offsets[v]; s < csr_.offsets[v + 1]; ++s) {
      if (mate_[csr_.columns[s]] == kNoNode && better_score_[s] > kNever)
        row_.push_back({better_score_[s], s});
    }
    std::sort(row_.begin(), row_.end(),
              [](const auto& a, const auto& b) { return a.first > b.first; });
    EdgeId place = next_[v] = csr_.offsets[v];
    for (auto first = row_.begin(); first != row_.end();) {
      const auto last = std::find_if(
          first + 1, row_.end(), [&](const auto& entry) { return entry.first != first->first; });
      if (last - first == 1) {
        ranked_[place++] = csr_.columns[first->second];
      } else {
        if (place_.empty()) place_nodes();
        tied_.clear();
        for (auto entry = first; entry != last; ++entry)
          tied_.emplace_back(key(better_direction(v, entry->second)), csr_.columns[entry->second]);
        std::sort(tied_.begin(), tied_.end(), std::greater<>{});
        for (const auto& edge : tied_) ranked_[place++] = edge.second;
      }
      first = last;
    }
    if (place < csr_.offsets[v + 1]) ranked_[place] = kNoNode;
  }

  /// If long rows tie, comparisons outnumber the nodes by far, so the order is written out once.
  void place_nodes() {
    std::vector<NodeId> nodes(mate_.size());
    std::iota(nodes.begin(), nodes.end(), 0);
    if (!order_.by_id())
      std::sort(nodes.begin(), nodes.end(),
                [&](NodeId a, NodeId b) { return order_.before(a, b); });
    place_.resize(nodes.size());
    for (std::uint32_t place = 0; place < nodes.size(); ++place) place_[nodes[place]] = place;
  }

  void contract_if_dominant(NodeId v) {
    if (mate_[v] != kNoNode) return;
    const NodeId u = wanted_[v];
    if (u == kNoNode || mate_[u] != kNoNode || wanted_[u] != v) return;
    mate_[v] = u;
    mate_[u] = v;
    taken_.push_back(v);
    if (u != v) taken_.push_back(u);
  }

  /// The slot of the better direction of the edge that v was contracted along.
  EdgeId contracted_slot(NodeId v) const {
    const EdgeId s = slot(mate_[v], v);
    return better_direction(v, s).target == v ? s : slot(v, mate_[v]);
  }

  CsrView csr_;
  const NodeOrder& order_;
  std::span<const T> scores_;
  std::vector<T> better_score_;         // by slot: of its edge's better direction
  std::vector<NodeId> wanted_;          // by node: its best neighbour not yet taken
  std::vector<NodeId> mate_;            // by node: its partner; itself for a self-loop
  std::vector<NodeId> taken_;           // taken nodes whose neighbours are not updated yet
  std::vector<std::uint8_t> searches_;  // by node: how often its row was searched
  // For sorted rows; empty until there is one.
  std::vector<NodeId> ranked_;  // by slot: the row's neighbours, best first, kNoNode ends them
  std::vector<EdgeId> next_;    // by node: index into ranked_ of the best not known to be taken
  std::vector<std::pair<T, EdgeId>> row_;
  std::vector<std::pair<std::uint64_t, NodeId>> tied_;  // key and neighbour
  std::vector<std::uint32_t> place_;  // by node: its position in the order; empty until a row ties
};

}  // namespace

struct NodeOrder::Storage {
  Graph fine;
  Contraction contraction;
  std::vector<double> scores;
  NodeOrder below;

  /// Source and target of the edge that made coarse node p.
  std::pair<NodeId, NodeId> edge(NodeId p) const {
    const EdgeId slot = contraction.slot[p];
    const auto members = contraction.parent.members(p);
    const bool first = fine.offsets()[members[0]] <= slot && slot < fine.offsets()[members[0] + 1];
    return {fine.columns()[slot], first ? members[0] : members[1]};
  }
};

NodeOrder::NodeOrder(Graph fine, const Contraction& contraction, std::vector<double> scores,
                     NodeOrder below)
    : storage_(std::make_shared<const Storage>(
          Storage{std::move(fine), contraction, std::move(scores), std::move(below)})) {}

bool NodeOrder::before(NodeId a, NodeId b) const {
  if (by_id()) return a < b;
  if (a == b) return false;
  const Storage& s = *storage_;
  const bool a_merged = s.contraction.slot[a] != kNoSlot;
  const bool b_merged = s.contraction.slot[b] != kNoSlot;
  if (a_merged != b_merged) return a_merged;
  if (!a_merged) {
    const ParentMap& parent = s.contraction.parent;
    return s.below.before(parent.members(a).front(), parent.members(b).front());
  }
  if (s.scores[a] != s.scores[b]) return s.scores[a] > s.scores[b];
  const auto [a_source, a_target] = s.edge(a);
  const auto [b_source, b_target] = s.edge(b);
  return s.below.edge_after(a_source, a_target, b_source, b_target);
}

bool NodeOrder::edge_after(NodeId a_source, NodeId a_target, NodeId b_source,
                           NodeId b_target) const {
  return a_source == b_source ? before(b_target, a_target) : before(b_source, a_source);
}

template <class T>
Contraction contract_edges(const Graph& graph, std::span<const T> scores, const NodeOrder& order) {
  if (static_cast<EdgeId>(scores.size()) != graph.num_edges()) {
    throw InvalidGraph("contract_edges: " + std::to_string(scores.size()) + " scores for " +
                       std::to_string(graph.num_edges()) + " directed edges");
  }
  return LocallyDominant<T>(graph, scores, order).run();
}

template Contraction contract_edges(const Graph&, std::span<const float>, const NodeOrder&);
template Contraction contract_edges(const Graph&, std::span<const double>, const NodeOrder&);

}  // namespace hgnet
