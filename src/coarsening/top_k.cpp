#include "hgnet/coarsening/top_k.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "coarsening/sort_row.hpp"
#include "hgnet/core/error.hpp"
#include "kernels/linear.hpp"

namespace hgnet {

std::int64_t Keep::of(std::int64_t num_nodes) const {
  if (count > 0) return std::min(count, num_nodes);
  if (!(ratio > 0 && ratio <= 1)) {
    throw InvalidHierarchy("top_k: the ratio to keep is " + std::to_string(ratio) +
                           "; expected 0 < ratio <= 1");
  }
  // 0.07 * 100 is a little above 7; that must not make it 8.
  const double exact = ratio * static_cast<double>(num_nodes);
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::ceil(exact * (1 - 1e-12))), 0,
                                  num_nodes);
}

Keep keep_of(double number) {
  if (number <= 1) return {.ratio = number};
  constexpr double kMost = std::numeric_limits<NodeId>::max();  // a larger one has no integer
  return {.count = static_cast<std::int64_t>(std::min(number, kMost))};
}

template <class T>
ParentMap top_k(std::span<const T> scores, const ParentMap& graph_of_node, Keep keep) {
  if (static_cast<NodeId>(scores.size()) != graph_of_node.num_children()) {
    throw InvalidHierarchy("top_k: " + std::to_string(scores.size()) + " scores for " +
                           std::to_string(graph_of_node.num_children()) + " nodes");
  }
  std::vector<char> kept(scores.size(), 0);
  std::vector<NodeId> nodes;
  const auto comes_first = [&](NodeId a, NodeId b) {
    const bool a_is_number = !std::isnan(scores[a]);
    const bool b_is_number = !std::isnan(scores[b]);
    if (a_is_number != b_is_number) return a_is_number;
    if (a_is_number && scores[a] != scores[b]) return scores[a] > scores[b];
    return a < b;
  };
  for (NodeId g = 0; g < graph_of_node.num_parents(); ++g) {
    nodes.assign(graph_of_node.members(g).begin(), graph_of_node.members(g).end());
    const std::int64_t count = keep.of(static_cast<std::int64_t>(nodes.size()));
    if (count < static_cast<std::int64_t>(nodes.size())) {
      std::nth_element(nodes.begin(), nodes.begin() + count, nodes.end(), comes_first);
    }
    for (std::int64_t i = 0; i < count; ++i) kept[nodes[i]] = 1;
  }
  std::vector<NodeId> parent(scores.size(), kNoNode);
  NodeId next = 0;
  for (std::size_t v = 0; v < scores.size(); ++v) {
    if (kept[v] != 0) parent[v] = next++;
  }
  return {std::move(parent), next};
}

template ParentMap top_k(std::span<const float>, const ParentMap&, Keep);
template ParentMap top_k(std::span<const double>, const ParentMap&, Keep);

namespace {

/// The rows of A + I. Looks up the graph's arrays once, because a square visits its entries many
/// times.
class RowsWithIdentity {
 public:
  explicit RowsWithIdentity(const Graph& graph)
      : offsets_(graph.offsets()), columns_(graph.columns()), weights_(graph.weights()) {}

  /// Calls visit(w, value) for the entries of row v, ascending. A self-loop of the graph adds to I.
  template <class Visit>
  void visit_row(NodeId v, const Visit& visit) const {
    bool identity_done = false;
    const EdgeId end = offsets_[v + 1];
    for (EdgeId s = offsets_[v]; s < end; ++s) {
      const NodeId w = columns_[s];
      double value = weights_.empty() ? 1.0 : weights_[s];
      if (!identity_done && w >= v) {
        identity_done = true;
        if (w == v) {
          value += 1.0;
        } else {
          visit(v, 1.0);
        }
      }
      visit(w, value);
    }
    if (!identity_done) visit(v, 1.0);
  }

 private:
  std::span<const EdgeId> offsets_;
  std::span<const NodeId> columns_;
  std::span<const float> weights_;
};

/// Nodes begin .. end - 1, which have edges only among themselves.
struct NodeRange {
  NodeId begin;
  NodeId end;
};

/// Cuts the graph wherever no edge leads across: a batch splits into its graphs.
std::vector<NodeRange> ranges_of(const Graph& graph) {
  const std::span<const EdgeId> offsets = graph.offsets();
  const std::span<const NodeId> columns = graph.columns();
  std::vector<NodeRange> ranges;
  NodeId begin = 0;
  NodeId reach = 0;
  for (NodeId v = 0; v < graph.num_nodes(); ++v) {
    reach = std::max(reach, v);
    if (offsets[v + 1] > offsets[v]) reach = std::max(reach, columns[offsets[v + 1] - 1]);
    if (reach > v) continue;
    ranges.push_back({begin, v + 1});
    begin = v + 1;
  }
  return ranges;
}

/// (A + I)^2 without its diagonal, rows and columns of the kept nodes, range by range.
class KeptSquare {
 public:
  KeptSquare(const Graph& graph, const ParentMap& kept, EdgeId max_edges)
      : graph_(graph),
        matrix_(graph),
        kept_as_(kept.parents()),
        kept_nodes_(kept.members().columns),
        max_edges_(max_edges),
        sum_(kept.num_parents(), 0.0),
        seen_by_(kept.num_parents(), kNoNode) {
    parts_.offsets.reserve(static_cast<std::size_t>(kept.num_parents()) + 1);
  }

  Graph compute() && {
    const bool nonnegative = std::none_of(graph_.weights().begin(), graph_.weights().end(),
                                          [](float w) { return !(w >= 0); });
    NodeId p = 0;
    for (const NodeRange& range : ranges_of(graph_)) {
      const NodeId first = p;
      while (p < static_cast<NodeId>(kept_nodes_.size()) && kept_nodes_[p] < range.end) ++p;
      if (nonnegative && is_dense(range)) {
        add_dense(range, first, p);
      } else {
        add_sparse(range, first, p);
      }
    }
    return Graph::adopt(std::move(parts_));
  }

 private:
  /// Whether nearly every entry of the square is non-zero anyway, and the matrices fit.
  bool is_dense(const NodeRange& range) const {
    const std::int64_t n = range.end - range.begin;
    const EdgeId edges = graph_.offsets()[range.end] - graph_.offsets()[range.begin];
    return n >= 16 && n <= 8192 && edges > n * n / 16;
  }

  /// Entry by entry; the sums of a row are in an array with one entry per kept node.
  void add_sparse(const NodeRange& range, NodeId first, NodeId last) {
    list_right(range);
    // A store through one of these cannot change the others.
    double* __restrict__ sum = sum_.data();
    NodeId* __restrict__ seen_by = seen_by_.data();
    const EdgeId* right_offsets = right_offsets_.data();
    const NodeId* right_columns = right_columns_.data();
    const double* right_values = right_values_.data();
    for (NodeId p = first; p < last; ++p) {
      std::size_t touched = 0;
      seen_by[p] = p;  // the diagonal is summed but left out
      matrix_.visit_row(kept_nodes_[p], [&](NodeId w, double vw) {
        const EdgeId begin = right_offsets[w - range.begin];
        const EdgeId end = right_offsets[w - range.begin + 1];
        if (touched_.size() < touched + (end - begin)) touched_.resize(2 * (touched + end - begin));
        NodeId* list = touched_.data();
        // Which columns are new changes from row to row too much for a branch.
        for (EdgeId s = begin; s < end; ++s) {
          const NodeId q = right_columns[s];
          const bool is_new = seen_by[q] != p;
          list[touched] = q;
          touched += is_new ? 1 : 0;
          seen_by[q] = p;
          sum[q] = (is_new ? 0.0 : sum[q]) + vw * right_values[s];
        }
      });
      check_room(p, touched);
      const std::span<NodeId> row = std::span(touched_).first(touched);
      sort_row(row);
      parts_.columns.insert(parts_.columns.end(), row.begin(), row.end());
      for (const NodeId q : row) parts_.weights.push_back(static_cast<float>(sum[q]));
      end_row();
    }
  }

  /// The range's rows of A + I, restricted to columns of kept nodes.
  void list_right(const NodeRange& range) {
    const EdgeId most =
        graph_.offsets()[range.end] - graph_.offsets()[range.begin] + range.end - range.begin;
    right_offsets_.assign(1, 0);
    right_columns_.resize(most);
    right_values_.resize(most);
    EdgeId size = 0;
    for (NodeId w = range.begin; w < range.end; ++w) {
      matrix_.visit_row(w, [&](NodeId u, double value) {
        right_columns_[size] = kept_as_[u];
        right_values_[size] = value;
        size += kept_as_[u] == kNoNode ? 0 : 1;
      });
      right_offsets_.push_back(size);
    }
  }

  /// Rows times columns of the range's kept nodes first .. last - 1. No entry of A is negative
  /// here, so a zero in the product means no edge.
  void add_dense(const NodeRange& range, NodeId first, NodeId last) {
    const std::int64_t n = range.end - range.begin;
    const std::int64_t k = last - first;
    left_.assign(k * n, 0.0);
    right_.assign(n * k, 0.0);
    product_.resize(k * k);
    for (std::int64_t i = 0; i < n; ++i) {
      const NodeId v = range.begin + static_cast<NodeId>(i);
      const NodeId p = kept_as_[v];
      matrix_.visit_row(v, [&](NodeId w, double value) {
        const NodeId q = kept_as_[w];
        if (p != kNoNode) left_[(p - first) * n + (w - range.begin)] = value;
        if (q != kNoNode) right_[i * k + (q - first)] = value;
      });
    }
    kernels::linear_rows<double>({.rows = k,
                                  .in = n,
                                  .out = k,
                                  .x = left_.data(),
                                  .root = right_.data(),
                                  .y = product_.data()},
                                 /*threads=*/1);
    for (std::int64_t row = 0; row < k; ++row) {
      check_room(first + static_cast<NodeId>(row), k - 1);
      for (std::int64_t column = 0; column < k; ++column) {
        const double value = product_[row * k + column];
        if (row != column && value != 0) add(first + static_cast<NodeId>(column), value);
      }
      end_row();
    }
  }

  /// Called before `size` entries are added to the row of p.
  void check_room(NodeId p, std::size_t size) const {
    if (static_cast<EdgeId>(parts_.columns.size() + size) <= max_edges_) return;
    throw InvalidGraph("squared graph: more than " + std::to_string(max_edges_) +
                       " directed edges, reached at node " + std::to_string(kept_nodes_[p]) +
                       " of " + std::to_string(graph_.num_nodes()) + "; the input has " +
                       std::to_string(graph_.num_edges()));
  }
  void add(NodeId column, double value) {
    parts_.columns.push_back(column);
    parts_.weights.push_back(static_cast<float>(value));
  }
  void end_row() { parts_.offsets.push_back(static_cast<EdgeId>(parts_.columns.size())); }

  const Graph& graph_;
  RowsWithIdentity matrix_;
  std::span<const NodeId> kept_as_;
  std::span<const NodeId> kept_nodes_;  // by parent
  EdgeId max_edges_;
  GraphParts parts_;
  // For sparse rows.
  std::vector<double> sum_;
  std::vector<NodeId> seen_by_;
  std::vector<NodeId> touched_;
  std::vector<EdgeId> right_offsets_;
  std::vector<NodeId> right_columns_;
  std::vector<double> right_values_;
  // For dense ranges.
  std::vector<double> left_;
  std::vector<double> right_;
  std::vector<double> product_;
};

}  // namespace

Graph squared_graph(const Graph& graph, EdgeId max_edges) {
  return squared_graph(graph, ParentMap::identity(graph.num_nodes()), max_edges);
}

Graph squared_graph(const Graph& graph, const ParentMap& kept, EdgeId max_edges) {
  if (kept.num_children() != graph.num_nodes() || !kept.is_onto() || !kept.is_ordered() ||
      static_cast<NodeId>(kept.members().columns.size()) != kept.num_parents()) {
    throw InvalidHierarchy("squared graph: expected some of the " +
                           std::to_string(graph.num_nodes()) + " nodes, in their order; got " +
                           std::to_string(kept.num_parents()) + " parents of " +
                           std::to_string(kept.num_children()) + " nodes");
  }
  return KeptSquare(graph, kept, max_edges).compute();
}

}  // namespace hgnet
