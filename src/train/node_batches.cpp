#include "hgnet/train/node_batches.hpp"

#include <algorithm>
#include <numeric>

#include "hgnet/coarsening/build.hpp"
#include "hgnet/coarsening/methods.hpp"

namespace hgnet {
namespace {

/// From the nodes of G_0 to the communities of every level, the lowest first.
std::vector<ParentMap> dendrogram(const Hierarchy& prepared, bool by_louvain, int threads) {
  constexpr double kLeastShrink = 0.05;
  std::vector<ParentMap> levels;
  const int given = by_louvain ? prepared.num_levels() : 0;
  for (int l = 1; l <= given; ++l) levels.push_back(prepared.parent_from_input(l));
  const Hierarchy above =
      build_hierarchy(prepared.graph(given), kFullDepth,
                      coarsen_step(Coarsening::kLouvain, {}, threads), kLeastShrink);
  for (int l = 0; l < above.num_levels(); ++l)
    levels.push_back(levels.empty() ? above.parent(l) : levels.back().then(above.parent(l)));
  return levels;
}

}  // namespace

ParentMap batch_communities(const Hierarchy& prepared, bool by_louvain, std::int64_t most,
                            int threads) {
  const std::vector<ParentMap> levels = dendrogram(prepared, by_louvain, threads);
  const NodeId num_nodes = prepared.graph(0).num_nodes();
  std::vector<NodeId> label(static_cast<std::size_t>(num_nodes));  // a member of the community
  std::iota(label.begin(), label.end(), 0);
  const auto fits = [&](std::size_t level, NodeId v) {
    return std::ssize(levels[level].members(levels[level].parent(v))) <= most;
  };
  for (NodeId v = 0; v < num_nodes && !levels.empty(); ++v) {
    const std::span<const NodeId> lowest = levels.front().members(levels.front().parent(v));
    if (!fits(0, v)) {
      const auto place = std::lower_bound(lowest.begin(), lowest.end(), v) - lowest.begin();
      label[v] = lowest[static_cast<std::size_t>(place / most * most)];
      continue;
    }
    std::size_t level = 0;
    while (level + 1 < levels.size() && fits(level + 1, v)) ++level;
    label[v] = levels[level].members(levels[level].parent(v)).front();
  }
  return ParentMap::from_labels(label);
}

std::vector<std::vector<NodeId>> plan_communities(const ParentMap& communities,
                                                  std::int64_t batches, Generator& shuffle) {
  std::vector<NodeId> order(static_cast<std::size_t>(communities.num_parents()));
  std::iota(order.begin(), order.end(), 0);
  shuffle.shuffle(std::span(order));
  std::vector<std::vector<NodeId>> plan(static_cast<std::size_t>(batches));
  std::int64_t dealt = 0;
  for (const NodeId community : order) {
    const std::span<const NodeId> members = communities.members(community);
    // By the community's middle, so that batches differ by less than one community.
    const std::int64_t middle = dealt + std::ssize(members) / 2;
    std::vector<NodeId>& batch =
        plan[static_cast<std::size_t>(middle * batches / communities.num_children())];
    batch.insert(batch.end(), members.begin(), members.end());
    dealt += std::ssize(members);
  }
  for (std::vector<NodeId>& batch : plan) std::sort(batch.begin(), batch.end());
  return plan;
}

BatchRows rows_among(const std::vector<NodeId>& nodes, std::span<const std::int64_t> samples) {
  BatchRows result;
  auto sample = samples.begin();
  for (std::size_t row = 0; row < nodes.size(); ++row) {
    sample = std::lower_bound(sample, samples.end(), nodes[row]);
    if (sample == samples.end()) break;
    if (*sample != nodes[row]) continue;
    result.rows.push_back(static_cast<std::int64_t>(row));
    result.samples.push_back(*sample);
  }
  return result;
}

Input batch_input(const Input& whole, HierarchyCutter& cutter, const std::vector<NodeId>& nodes) {
  std::vector<NodeId> graph;
  graph.reserve(nodes.size());
  for (const NodeId v : nodes) graph.push_back(whole.graph_of_node.parent(v));
  return {whole.x.at(nodes), cutter.among(nodes), ParentMap::from_labels(graph)};
}

}  // namespace hgnet
