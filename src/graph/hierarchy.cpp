#include "hgnet/graph/hierarchy.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "hgnet/core/error.hpp"

namespace hgnet {
namespace {

[[noreturn]] void fail(int level, const std::string& what) {
  throw InvalidHierarchy("level " + std::to_string(level) + ": " + what);
}

/// The coarse neighbours of p by definition: parents, other than p, of its members' neighbours.
std::vector<NodeId> neighbours_by_definition(const Graph& fine, const ParentMap& parent, NodeId p) {
  std::vector<NodeId> result;
  for (const NodeId v : parent.members(p)) {
    for (const NodeId u : fine.neighbours(v)) {
      const NodeId q = parent.parent(u);
      if (q != p && q != kNoNode) result.push_back(q);
    }
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

}  // namespace

Hierarchy::Hierarchy(Graph input) : input_(std::move(input)) {}

Hierarchy Hierarchy::joined(std::span<const Hierarchy* const> parts) {
  const int depth = parts.empty() ? 0 : parts.front()->num_levels();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i]->num_levels() == depth) continue;
    throw InvalidHierarchy("joining hierarchies: number " + std::to_string(i) + " has " +
                           std::to_string(parts[i]->num_levels()) +
                           " coarse levels, those before it " + std::to_string(depth));
  }
  std::vector<const Graph*> graphs(parts.size());
  std::vector<const ParentMap*> maps(parts.size());
  const auto join_graphs = [&](int level) {
    for (std::size_t i = 0; i < parts.size(); ++i) graphs[i] = &parts[i]->graph(level);
    return Batch::joined(graphs);
  };
  Hierarchy result(join_graphs(0));
  for (int level = 0; level < depth; ++level) {
    for (std::size_t i = 0; i < parts.size(); ++i) maps[i] = &parts[i]->parent(level);
    result.add({ParentMap::joined(maps), join_graphs(level + 1)});
  }
  return result;
}

void Hierarchy::add(Level level) {
  const int number = num_levels() + 1;
  const Graph& fine = graph(num_levels());
  if (level.parent.num_children() != fine.num_nodes()) {
    fail(number, "the parent map covers " + std::to_string(level.parent.num_children()) +
                     " nodes, the graph below has " + std::to_string(fine.num_nodes()));
  }
  if (level.parent.num_parents() != level.graph.num_nodes()) {
    fail(number, "the parent map leads to " + std::to_string(level.parent.num_parents()) +
                     " nodes, the graph has " + std::to_string(level.graph.num_nodes()));
  }
  if (!level.parent.is_onto()) fail(number, "a coarse node has no members");
  if (!level.parent.is_ordered()) fail(number, "coarse nodes are not numbered by smallest member");
  levels_.push_back(std::move(level));
}

const Graph& Hierarchy::graph(int level) const {
  if (level < 0 || level > num_levels()) {
    fail(level, "there is no such graph; expected 0 .. " + std::to_string(num_levels()));
  }
  return level == 0 ? input_ : levels_[level - 1].graph;
}

const ParentMap& Hierarchy::parent(int level) const {
  if (level < 0 || level >= num_levels()) {
    fail(level, "there is nothing above it; the hierarchy has " + std::to_string(num_levels()) +
                    " coarse levels");
  }
  return levels_[level].parent;
}

ParentMap Hierarchy::parent_from_input(int level) const {
  ParentMap result = ParentMap::identity(graph(0).num_nodes());
  static_cast<void>(graph(level));  // throws for a level that does not exist
  for (int l = 0; l < level; ++l) result = result.then(parent(l));
  return result;
}

void Hierarchy::validate_contractions() const {
  for (int l = 0; l < num_levels(); ++l) {
    const Graph& coarse = graph(l + 1);
    for (NodeId p = 0; p < coarse.num_nodes(); ++p) {
      const std::vector<NodeId> expected = neighbours_by_definition(graph(l), parent(l), p);
      std::vector<NodeId> got(coarse.neighbours(p).begin(), coarse.neighbours(p).end());
      std::erase(got, p);
      const auto [e, g] = std::mismatch(expected.begin(), expected.end(), got.begin(), got.end());
      if (e == expected.end() && g == got.end()) continue;
      const bool missing = g == got.end() || (e != expected.end() && *e < *g);
      fail(l + 1, "coarse nodes " + std::to_string(p) + " and " +
                      std::to_string(missing ? *e : *g) +
                      (missing ? " are not adjacent, although some of their members are"
                               : " are adjacent, although none of their members are"));
    }
  }
}

}  // namespace hgnet
