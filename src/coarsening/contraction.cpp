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
#include "graph/row_parallel.hpp"
#include "hgnet/core/error.hpp"

namespace hgnet {
namespace {

/// An edge, as the better of its two directions.
struct Direction {
  NodeId source;
  NodeId target;
};

/// Nodes that one thread deals with: it reads and writes what is known of them. Of others it reads
/// nothing that may change, and takes them for free.
struct Range {
  NodeId begin;
  NodeId end;

  bool has(NodeId v) const { return begin <= v && v < end; }
};

/// Finds the matching in three phases. One range of rows per thread first: where both ends of an
/// edge are in the range, dominance is decided there. Then rounds in which all threads look at what
/// is left: neighbours that are taken are replaced, then edges that dominate are contracted. What
/// few nodes remain, in chains that wait for each other, one thread follows to the end. A single
/// thread begins with the third phase.
template <class T>
class LocallyDominant {
 public:
  LocallyDominant(const Graph& graph, std::span<const T> scores, const NodeOrder& order,
                  int threads)
      : csr_(graph.csr()),
        order_(order),
        scores_(scores),
        threads_(useful_threads((csr_.num_rows() + csr_.num_slots()) * kWorkPerSlot, threads)),
        better_score_(scores.size()),
        wanted_(graph.num_nodes(), kNoNode),
        mate_(graph.num_nodes(), kNoNode),
        searches_(graph.num_nodes(), 0) {}

  Contraction run() && {
    const Range all{0, static_cast<NodeId>(csr_.num_rows())};
    for_ranges([&](int, Range rows) { score_edges(rows); });
    for_ranges([&](int, Range rows) {
      for (NodeId v = rows.begin; v < rows.end; ++v) wanted_[v] = best_neighbour<kAllFree>(v, all);
    });
    if (threads_ == 1) {
      for (NodeId v = all.begin; v < all.end; ++v) follow(v);
    } else {
      for_ranges([&](int, Range rows) { contract_inside(rows); });
      for (const std::vector<NodeId>& nodes : contract_in_rounds()) {
        for (const NodeId v : nodes) follow(v);
      }
    }
    return number_by_smallest_member(
        mate_, [this](NodeId v) { return contracted_slot(v); }, threads_);
  }

 private:
  static constexpr T kNever = -std::numeric_limits<T>::infinity();
  static constexpr std::int64_t kWorkPerSlot = 4;
  static constexpr EdgeId kShortRow = 16;
  static constexpr std::uint8_t kSearches = 1;

  /// Which neighbours a search leaves out: none, those taken, or those taken inside a range.
  enum Free { kAllFree, kNotTaken, kNotTakenInside };

  static T number_or_never(T score) { return std::isnan(score) ? kNever : score; }

  /// body(part, rows) for each thread's range of rows.
  template <class Body>
  void for_ranges(const Body& body) const {
    run_parts(threads_, [&](int part) {
      body(part, Range{static_cast<NodeId>(first_row(csr_, part, threads_)),
                       static_cast<NodeId>(first_row(csr_, part + 1, threads_))});
    });
  }

  /// Scores the edges between v in `rows` and smaller nodes. Rows are visited in order and list
  /// their neighbours in order, so the slots of u -> v, v > u, are needed one after the other in
  /// row u: a cursor per row finds the other direction of each edge. It begins where a range
  /// begins, found when the row is first needed.
  void score_edges(Range rows) {
    constexpr EdgeId kUnknown = -1;
    std::vector<EdgeId> cursor(rows.end, kUnknown);
    for (NodeId v = rows.begin; v < rows.end; ++v) {
      EdgeId s = csr_.offsets[v];
      const EdgeId end = csr_.offsets[v + 1];
      for (; s < end && csr_.columns[s] < v; ++s) {
        EdgeId& place = cursor[csr_.columns[s]];
        if (place == kUnknown) place = slot(rows.begin, csr_.columns[s]);
        const EdgeId other = place++;
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

  /// The slot of u -> v; if that is no edge, of the next larger source.
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

  template <Free kFree>
  NodeId best_neighbour(NodeId v, Range rows) const {
    EdgeId best = kNoSlot;
    T best_score = kNever;
    for (EdgeId s = csr_.offsets[v]; s < csr_.offsets[v + 1]; ++s) {
      const NodeId u = csr_.columns[s];
      if (kFree == kNotTaken && mate_[u] != kNoNode) continue;
      if (kFree == kNotTakenInside && rows.has(u) && mate_[u] != kNoNode) continue;
      const T score = better_score_[s];
      if (score == best_score && best != kNoSlot &&
          beats(better_direction(v, s), better_direction(v, best)))
        best = s;
      best = score > best_score ? s : best;
      best_score = score > best_score ? score : best_score;
    }
    return best == kNoSlot ? kNoNode : csr_.columns[best];
  }

  /// Searching a row a few times is cheaper than sorting it. In a dense graph, where many nodes
  /// want the same neighbour, there would be a search for every neighbour, so such a row is sorted;
  /// by one thread, since sorting needs tables for all rows.
  bool search_again(NodeId v) {
    if (csr_.offsets[v + 1] - csr_.offsets[v] <= kShortRow) return true;
    if (searches_[v] == kSearches) return false;
    ++searches_[v];
    return true;
  }

  NodeId next_best_neighbour(NodeId v) {
    if (search_again(v)) return best_neighbour<kNotTaken>(v, {});
    if (next_.empty()) {
      ranked_.resize(scores_.size());
      next_.resize(mate_.size(), kNoSlot);
    }
    if (next_[v] == kNoSlot) sort_row(v);
    EdgeId& next = next_[v];
    while (next < csr_.offsets[v + 1] && ranked_[next] != kNoNode &&
           mate_[ranked_[next]] != kNoNode)
      ++next;
    return next < csr_.offsets[v + 1] ? ranked_[next] : kNoNode;
  }

  void sort_row(NodeId v) {
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

  bool is_taken(NodeId v) const { return mate_[v] != kNoNode; }

  /// Whether x is free and wants w, which is taken. A taken node wants its mate and no other.
  bool has_lost(NodeId x, NodeId w) const { return wanted_[x] == w && mate_[w] != x; }

  /// Contracts the edge between v and the neighbour it wants if both are free and want each other.
  /// Appends both to `taken`.
  void contract_if_dominant(NodeId v, std::vector<NodeId>& taken) {
    const NodeId u = wanted_[v];
    if (u == kNoNode || is_taken(v) || is_taken(u) || wanted_[u] != v) return;
    mate_[v] = u;
    mate_[u] = v;
    taken.push_back(v);
    if (u != v) taken.push_back(u);
  }

  /// The third phase. A node whose wanted neighbour is taken looks for the next best, which may
  /// dominate in turn. Done at once, while the rows around it are in the cache.
  void follow(NodeId v) {
    if (is_taken(v)) return;
    if (wanted_[v] != kNoNode && is_taken(wanted_[v])) wanted_[v] = next_best_neighbour(v);
    contract_if_dominant(v, taken_);
    while (!taken_.empty()) {
      const NodeId w = taken_.back();
      taken_.pop_back();
      const EdgeId end = csr_.offsets[w + 1];
      for (EdgeId s = csr_.offsets[w]; s < end; ++s) {
        const NodeId x = csr_.columns[s];
        if (!has_lost(x, w)) continue;
        wanted_[x] = next_best_neighbour(x);
        contract_if_dominant(x, taken_);
      }
    }
  }

  /// The first phase: the same for the nodes of a range, as far as nodes outside have no say. A
  /// node that prefers one outside waits for it; so does one whose row would have to be sorted.
  void contract_inside(Range rows) {
    std::vector<NodeId> taken;
    for (NodeId v = rows.begin; v < rows.end; ++v) {
      if (wanted_[v] != kNoNode && rows.has(wanted_[v])) contract_if_dominant(v, taken);
      while (!taken.empty()) {
        const NodeId w = taken.back();
        taken.pop_back();
        const EdgeId end = csr_.offsets[w + 1];
        for (EdgeId s = csr_.offsets[w]; s < end; ++s) {
          const NodeId x = csr_.columns[s];
          if (!rows.has(x) || !has_lost(x, w) || !search_again(x)) continue;
          wanted_[x] = best_neighbour<kNotTakenInside>(x, rows);
          if (wanted_[x] != kNoNode && rows.has(wanted_[x])) contract_if_dominant(x, taken);
        }
      }
    }
  }

  /// The second phase. Returns the nodes that are left, those of each thread in order.
  std::vector<std::vector<NodeId>> contract_in_rounds() {
    std::vector<std::vector<NodeId>> left(threads_);
    for_ranges([&](int part, Range rows) {
      for (NodeId v = rows.begin; v < rows.end; ++v) {
        if (!is_taken(v) && wanted_[v] != kNoNode) left[part].push_back(v);
      }
    });
    const auto count = [&] {
      std::size_t sum = 0;
      for (const std::vector<NodeId>& nodes : left) sum += nodes.size();
      return sum;
    };
    // Chains of nodes that wait for each other lose two nodes in a round, however many there are.
    constexpr std::size_t kLeastNodes = 1 << 14;
    std::size_t before = 0;
    std::size_t now = count();
    for (bool begun = false; now >= kLeastNodes && (!begun || now < before / 8 * 7); begun = true) {
      run_parts(threads_, [&](int part) {
        for (const NodeId v : left[part]) {
          if (is_taken(wanted_[v]) && search_again(v))
            wanted_[v] = best_neighbour<kNotTaken>(v, {});
        }
      });
      run_parts(threads_, [&](int part) {
        for (const NodeId v : left[part]) {
          const NodeId u = wanted_[v];
          if (u == kNoNode || u < v || wanted_[u] != v) continue;
          mate_[v] = u;
          mate_[u] = v;
        }
      });
      run_parts(threads_, [&](int part) {
        std::erase_if(left[part], [&](NodeId v) { return is_taken(v) || wanted_[v] == kNoNode; });
      });
      before = now;
      now = count();
    }
    return left;
  }

  /// The slot of the better direction of the edge that v was contracted along.
  EdgeId contracted_slot(NodeId v) const {
    const EdgeId s = slot(mate_[v], v);
    return better_direction(v, s).target == v ? s : slot(v, mate_[v]);
  }

  CsrView csr_;
  const NodeOrder& order_;
  std::span<const T> scores_;
  int threads_;
  std::vector<T> better_score_;         // by slot: of its edge's better direction
  std::vector<NodeId> wanted_;          // by node: its best neighbour not yet taken
  std::vector<NodeId> mate_;            // by node: its partner; itself for a self-loop
  std::vector<NodeId> taken_;           // taken nodes whose neighbours are not updated yet
  std::vector<std::uint8_t> searches_;  // by node: how often its row was searched
  // For sorted rows; empty until there is one.
  std::vector<NodeId> ranked_;  // by slot: the row's neighbours, best first, kNoNode ends them
  std::vector<EdgeId> next_;    // by node: index into ranked_ of the best not known to be taken;
                                // kNoSlot: not sorted
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
Contraction contract_edges(const Graph& graph, std::span<const T> scores, const NodeOrder& order,
                           int threads) {
  if (static_cast<EdgeId>(scores.size()) != graph.num_edges()) {
    throw InvalidGraph("contract_edges: " + std::to_string(scores.size()) + " scores for " +
                       std::to_string(graph.num_edges()) + " directed edges");
  }
  return LocallyDominant<T>(graph, scores, order, threads).run();
}

template Contraction contract_edges(const Graph&, std::span<const float>, const NodeOrder&, int);
template Contraction contract_edges(const Graph&, std::span<const double>, const NodeOrder&, int);

}  // namespace hgnet
