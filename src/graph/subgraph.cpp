#include "hgnet/graph/subgraph.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace hgnet {

SubgraphCutter::SubgraphCutter(Graph graph)
    : graph_(std::move(graph)), place_(static_cast<std::size_t>(graph_.num_nodes()), kNoNode) {}

Subgraph SubgraphCutter::among(std::vector<NodeId> nodes) {
  const auto count = static_cast<NodeId>(nodes.size());
  return cut(std::move(nodes), 0, count);
}

Subgraph SubgraphCutter::around(NodeId begin, NodeId end) {
  std::vector<NodeId> nodes(static_cast<std::size_t>(end - begin));
  std::iota(nodes.begin(), nodes.end(), begin);
  for (const NodeId v : nodes) place_[v] = v;
  for (EdgeId s = graph_.offsets()[begin]; s < graph_.offsets()[end]; ++s) {
    const NodeId u = graph_.columns()[s];
    if (std::exchange(place_[u], u) == kNoNode) nodes.push_back(u);
  }
  std::sort(nodes.begin() + (end - begin), nodes.end());
  const auto above = std::lower_bound(nodes.begin() + (end - begin), nodes.end(), begin);
  const auto first = static_cast<NodeId>(above - nodes.begin() - (end - begin));
  std::rotate(nodes.begin(), nodes.begin() + (end - begin), above);
  return cut(std::move(nodes), first, first + end - begin);
}

/// The rows of the part's nodes first .. last - 1 keep their edges within the part, others only a
/// self-loop.
Subgraph SubgraphCutter::cut(std::vector<NodeId> nodes, NodeId first, NodeId last) {
  const auto count = static_cast<NodeId>(nodes.size());
  for (NodeId i = 0; i < count; ++i) place_[nodes[i]] = i;
  const bool in_order = std::is_sorted(nodes.begin(), nodes.end());
  const std::span<const float> weights = graph_.weights();
  Subgraph result;
  GraphParts parts;
  parts.offsets.reserve(nodes.size() + 1);
  parts.outside.assign(nodes.size(), 0.0F);
  std::vector<std::pair<NodeId, EdgeId>> row;  // neighbours in the part, with their slots
  for (NodeId i = 0; i < count; ++i) {
    const NodeId v = nodes[i];
    const bool with_edges = i >= first && i < last;
    row.clear();
    for (EdgeId s = graph_.offsets()[v]; s < graph_.offsets()[v + 1]; ++s) {
      const NodeId u = graph_.columns()[s];
      if (place_[u] != kNoNode && (with_edges || u == v)) {
        row.emplace_back(place_[u], s);
      } else {
        parts.outside[i] += weights.empty() ? 1.0F : weights[s];
      }
    }
    if (!graph_.outside().empty()) parts.outside[i] += graph_.outside()[v];
    if (!in_order) std::sort(row.begin(), row.end());
    for (const auto& [u, slot] : row) {
      parts.columns.push_back(u);
      result.slots.push_back(slot);
    }
    parts.offsets.push_back(static_cast<EdgeId>(parts.columns.size()));
  }
  for (const NodeId v : nodes) place_[v] = kNoNode;

  const std::int64_t width = graph_.edge_row_width();
  parts.edge_row_width = width;
  for (const EdgeId slot : result.slots) {
    if (!weights.empty()) parts.weights.push_back(weights[slot]);
    const auto edge = graph_.edge_rows().begin() + slot * width;
    parts.edge_rows.insert(parts.edge_rows.end(), edge, edge + width);
  }
  result.graph = Graph::adopt(std::move(parts));
  result.nodes = std::move(nodes);
  result.first = first;
  return result;
}

HierarchyCutter::HierarchyCutter(const Hierarchy& hierarchy) : hierarchy_(hierarchy) {
  for (int l = 0; l <= hierarchy.num_levels(); ++l) levels_.emplace_back(hierarchy.graph(l));
}

Hierarchy HierarchyCutter::among(std::vector<NodeId> nodes) {
  Hierarchy result;
  ParentMap parent;
  for (int l = 0; l <= hierarchy_.num_levels(); ++l) {
    Subgraph part = levels_[static_cast<std::size_t>(l)].among(std::move(nodes));
    if (l == 0) {
      result = Hierarchy(std::move(part.graph));
    } else {
      result.add({parent, std::move(part.graph)});
    }
    if (l == hierarchy_.num_levels()) break;
    std::vector<NodeId> above;  // by node: its parent in the whole hierarchy
    above.reserve(part.nodes.size());
    for (const NodeId v : part.nodes) above.push_back(hierarchy_.parent(l).parent(v));
    parent = ParentMap::from_labels(above);
    nodes.resize(static_cast<std::size_t>(parent.num_parents()));
    for (NodeId p = 0; p < parent.num_parents(); ++p) nodes[p] = above[parent.members(p).front()];
  }
  return result;
}

}  // namespace hgnet
