#include "hgnet/coarsening/top_k.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "hgnet/core/error.hpp"
#include "ops/cpu/kernels.hpp"

namespace hgnet {

std::int64_t Keep::of(std::int64_t num_nodes) const {
  if (count > 0) return std::min(count, num_nodes);
  if (!(ratio > 0 && ratio <= 1)) {
    throw InvalidHierarchy("top_k: the ratio to keep is " + std::to_string(ratio) +
                           "; expected 0 < ratio <= 1");
  }
  // 0.07 * 100 comes out a little above 7; that must not make it 8.
  const double exact = ratio * static_cast<double>(num_nodes);
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::ceil(exact * (1 - 1e-12))), 0,
                                  num_nodes);
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

/// Calls visit(w, value) for the entries of row v of A + I, ascending. A self-loop of the graph
/// adds to I.
template <class Visit>
void row_with_identity(const Graph& graph, NodeId v, const Visit& visit) {
  bool identity_done = false;
  for (EdgeId s = graph.offsets()[v]; s < graph.offsets()[v + 1]; ++s) {
    const NodeId w = graph.columns()[s];
    double value = graph.has_weights() ? graph.weights()[s] : 1.0;
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

/// Appends row after row to a graph, up to a number of edges.
class SquaredRows {
 public:
  SquaredRows(const Graph& graph, NodeId num_rows, EdgeId max_edges)
      : graph_(graph), max_edges_(max_edges) {
    parts_.offsets.reserve(static_cast<std::size_t>(num_rows) + 1);
  }

  /// Ends the row of node v; `size` entries were added to it, or are about to be.
  void check(NodeId v, std::size_t size) const {
    if (static_cast<EdgeId>(parts_.columns.size() + size) <= max_edges_) return;
    throw InvalidGraph("squared graph: more than " + std::to_string(max_edges_) +
                       " directed edges, reached at node " + std::to_string(v) + " of " +
                       std::to_string(graph_.num_nodes()) + "; the input has " +
                       std::to_string(graph_.num_edges()));
  }
  void add(NodeId column, double value) {
    parts_.columns.push_back(column);
    parts_.weights.push_back(static_cast<float>(value));
  }
  void end_row() { parts_.offsets.push_back(static_cast<EdgeId>(parts_.columns.size())); }
  Graph graph() && { return Graph::adopt(std::move(parts_)); }

 private:
  const Graph& graph_;
  EdgeId max_edges_;
  GraphParts parts_;
};

/// Entry by entry, the row's sums in an array with a place for every kept node.
Graph sparse_square(const Graph& graph, const ParentMap& kept, EdgeId max_edges) {
  const NodeId n = kept.num_parents();
  std::vector<double> sum(n, 0.0);
  std::vector<NodeId> seen_by(n, kNoNode);
  std::vector<NodeId> touched;
  SquaredRows rows(graph, n, max_edges);
  for (NodeId p = 0; p < n; ++p) {
    const NodeId v = kept.members(p).front();
    touched.clear();
    row_with_identity(graph, v, [&](NodeId w, double vw) {
      row_with_identity(graph, w, [&](NodeId u, double wu) {
        const NodeId q = kept.parent(u);
        if (q == p || q == kNoNode) return;
        if (seen_by[q] != p) {
          seen_by[q] = p;
          sum[q] = 0.0;
          touched.push_back(q);
        }
        sum[q] += vw * wu;
      });
    });
    rows.check(v, touched.size());
    std::sort(touched.begin(), touched.end());
    for (const NodeId q : touched) rows.add(q, sum[q]);
    rows.end_row();
  }
  return std::move(rows).graph();
}

/// Rows of the kept nodes times columns of the kept nodes. Entries of A are not negative here, so a zero of the product is
/// no edge.
Graph dense_square(const Graph& graph, const ParentMap& kept, EdgeId max_edges) {
  const std::int64_t n = graph.num_nodes();
  const std::int64_t k = kept.num_parents();
  std::vector<double> left(k * n, 0.0);
  std::vector<double> right(n * k, 0.0);
  for (NodeId v = 0; v < n; ++v) {
    const NodeId p = kept.parent(v);
    row_with_identity(graph, v, [&](NodeId w, double value) {
      if (p != kNoNode) left[p * n + w] = value;
      if (kept.parent(w) != kNoNode) right[v * k + kept.parent(w)] = value;
    });
  }
  std::vector<double> product(k * k);
  cpu::linear_rows<double>(
      {.rows = k, .in = n, .out = k, .x = left.data(), .root = right.data(), .y = product.data()},
      /*threads=*/1);
  SquaredRows rows(graph, static_cast<NodeId>(k), max_edges);
  for (NodeId p = 0; p < k; ++p) {
    rows.check(kept.members(p).front(), k - 1);
    for (NodeId q = 0; q < k; ++q) {
      if (q != p && product[p * k + q] != 0) rows.add(q, product[p * k + q]);
    }
    rows.end_row();
  }
  return std::move(rows).graph();
}

/// Whether nearly every entry of the square is there anyway, and the matrices fit.
bool is_dense(const Graph& graph) {
  const std::int64_t n = graph.num_nodes();
  const auto weights = graph.weights();
  return n >= 64 && n <= 8192 && graph.num_edges() > n * n / 16 &&
         std::none_of(weights.begin(), weights.end(), [](float w) { return !(w >= 0); });
}

}  // namespace

Graph squared_graph(const Graph& graph, EdgeId max_edges) {
  return sparse_square(graph, ParentMap::identity(graph.num_nodes()), max_edges);
}

Graph squared_graph(const Graph& graph, const ParentMap& kept, EdgeId max_edges) {
  if (kept.num_children() != graph.num_nodes() || !kept.is_onto()) {
    throw InvalidHierarchy("squared graph: kept nodes of a graph of " +
                           std::to_string(kept.num_children()) +
                           " nodes, or kept nodes without one");
  }
  return is_dense(graph) ? dense_square(graph, kept, max_edges)
                         : sparse_square(graph, kept, max_edges);
}

}  // namespace hgnet
