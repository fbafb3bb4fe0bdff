#include "hgnet/coarsening/top_k.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "hgnet/core/error.hpp"

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

}  // namespace

Graph squared_graph(const Graph& graph, EdgeId max_edges) {
  const NodeId n = graph.num_nodes();
  std::vector<double> sum(n, 0.0);
  std::vector<NodeId> seen_by(n, kNoNode);
  std::vector<NodeId> touched;
  GraphParts parts;
  parts.offsets.reserve(static_cast<std::size_t>(n) + 1);
  for (NodeId v = 0; v < n; ++v) {
    touched.clear();
    row_with_identity(graph, v, [&](NodeId w, double vw) {
      row_with_identity(graph, w, [&](NodeId u, double wu) {
        if (u == v) return;
        if (seen_by[u] != v) {
          seen_by[u] = v;
          sum[u] = 0.0;
          touched.push_back(u);
        }
        sum[u] += vw * wu;
      });
    });
    if (static_cast<EdgeId>(parts.columns.size() + touched.size()) > max_edges) {
      throw InvalidGraph("squared graph: more than " + std::to_string(max_edges) +
                         " directed edges, reached at node " + std::to_string(v) + " of " +
                         std::to_string(n) + "; the input has " +
                         std::to_string(graph.num_edges()));
    }
    std::sort(touched.begin(), touched.end());
    for (const NodeId u : touched) {
      parts.columns.push_back(u);
      parts.weights.push_back(static_cast<float>(sum[u]));
    }
    parts.offsets.push_back(static_cast<EdgeId>(parts.columns.size()));
  }
  return Graph::adopt(std::move(parts));
}

}  // namespace hgnet
