#include "hgnet/coarsening/contraction.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <tuple>

#include "coarsening/mates.hpp"
#include "hgnet/core/error.hpp"

namespace hgnet {
namespace {

/// The better of the two directions of an edge, comparable with that of any other edge.
template <class T>
struct Rank {
  T score;
  NodeId source;
  NodeId target;

  bool beats(const Rank& other) const {
    if (score != other.score) return score > other.score;
    return std::tie(source, target) > std::tie(other.source, other.target);
  }
};

template <class T>
class LocallyDominant {
 public:
  LocallyDominant(const Graph& graph, std::span<const T> scores)
      : csr_(graph.csr()),
        reverse_(graph.reverse()),
        scores_(scores),
        better_score_(scores.size()),
        favourite_(graph.num_nodes(), kNoSlot),
        mate_(graph.num_nodes(), kNoNode) {}

  Contraction run() {
    const auto num_nodes = static_cast<NodeId>(csr_.num_rows());
    for (EdgeId s = 0; s < csr_.num_slots(); ++s) better_score_[s] = better_direction(s);
    for (NodeId v = 0; v < num_nodes; ++v) favourite_[v] = best_slot<false>(v);
    for (NodeId v = 0; v < num_nodes; ++v) contract_if_dominant(v);
    // Whoever wanted a node that is now taken looks for the next best, which may dominate in turn.
    for (std::size_t next = 0; next < taken_.size(); ++next) {
      const NodeId w = taken_[next];
      for (EdgeId s = csr_.offsets[w]; s < csr_.offsets[w + 1]; ++s) {
        const NodeId x = csr_.columns[s];
        if (mate_[x] != kNoNode || wanted_by(x) != w) continue;
        favourite_[x] = best_slot<true>(x);
        contract_if_dominant(x);
      }
    }
    return number_by_smallest_member(mate_, [this](NodeId v) { return contracted_slot(v); });
  }

 private:
  static constexpr T kNever = -std::numeric_limits<T>::infinity();

  /// The higher of the two directions' scores; kNever if neither is a number.
  T better_direction(EdgeId s) const {
    const T into = std::isnan(scores_[s]) ? kNever : scores_[s];
    const T out = scores_[reverse_[s]];
    return out > into ? out : into;
  }

  /// Slot s of row v: the edge between v and the neighbour in s, ranked by its better direction. Only asked
  /// where scores tie.
  Rank<T> rank(NodeId v, EdgeId s) const {
    const NodeId u = csr_.columns[s];
    const T into = scores_[s];
    const T out = scores_[reverse_[s]];
    const bool take_into = into > out || (into == out && u > v) || std::isnan(out);
    return take_into ? Rank<T>{into, u, v} : Rank<T>{out, v, u};
  }

  template <bool kSomeTaken>
  EdgeId best_slot(NodeId v) const {
    EdgeId best = kNoSlot;
    T best_score = kNever;
    for (EdgeId s = csr_.offsets[v]; s < csr_.offsets[v + 1]; ++s) {
      if (kSomeTaken && mate_[csr_.columns[s]] != kNoNode) continue;
      const T score = better_score_[s];
      if (score == best_score && best != kNoSlot && rank(v, s).beats(rank(v, best))) best = s;
      best = score > best_score ? s : best;
      best_score = score > best_score ? score : best_score;
    }
    return best;
  }

  NodeId wanted_by(NodeId v) const {
    return favourite_[v] == kNoSlot ? kNoNode : csr_.columns[favourite_[v]];
  }

  void contract_if_dominant(NodeId v) {
    if (mate_[v] != kNoNode) return;
    const NodeId u = wanted_by(v);
    if (u == kNoNode || mate_[u] != kNoNode || wanted_by(u) != v) return;
    mate_[v] = u;
    mate_[u] = v;
    taken_.push_back(v);
    if (u != v) taken_.push_back(u);
  }

  /// The slot of the better direction of the edge that v was contracted along.
  EdgeId contracted_slot(NodeId v) const {
    const EdgeId s = favourite_[v];
    return rank(v, s).target == v ? s : reverse_[s];
  }

  CsrView csr_;
  std::span<const EdgeId> reverse_;
  std::span<const T> scores_;
  std::vector<T> better_score_;    // by slot: of its edge's better direction
  std::vector<EdgeId> favourite_;  // by node: slot of its best edge to a node not yet taken
  std::vector<NodeId> mate_;       // by node: who it was contracted with, itself for a self-loop
  std::vector<NodeId> taken_;
};

}  // namespace

template <class T>
Contraction contract_edges(const Graph& graph, std::span<const T> scores) {
  if (static_cast<EdgeId>(scores.size()) != graph.num_edges()) {
    throw InvalidGraph("contract_edges: " + std::to_string(scores.size()) + " scores for " +
                       std::to_string(graph.num_edges()) + " directed edges");
  }
  return LocallyDominant<T>(graph, scores).run();
}

template Contraction contract_edges(const Graph&, std::span<const float>);
template Contraction contract_edges(const Graph&, std::span<const double>);

}  // namespace hgnet
