#include "hgnet/coarsening/build.hpp"

#include <utility>

namespace hgnet {
namespace {

bool merges_nothing(const ParentMap& parent) {
  return parent.num_parents() == parent.num_children();
}

/// Its edges, and the nodes that have any besides a self-loop.
double size_of(const Graph& graph) {
  std::int64_t size = graph.num_edges();
  for (NodeId v = 0; v < graph.num_nodes(); ++v) {
    const auto others = graph.neighbours(v);
    size += others.empty() || (others.size() == 1 && others.front() == v) ? 0 : 1;
  }
  return static_cast<double>(size);
}

}  // namespace

Hierarchy build_hierarchy(Graph input, int max_levels, const CoarsenStep& step,
                          double least_shrink) {
  Hierarchy hierarchy(std::move(input));
  while (hierarchy.num_levels() < max_levels) {
    const int top = hierarchy.num_levels();
    Level level = step(hierarchy.graph(top), top);
    if (merges_nothing(level.parent)) break;
    if (least_shrink > 0 &&
        size_of(level.graph) > (1 - least_shrink) * size_of(hierarchy.graph(top)))
      break;
    hierarchy.add(std::move(level));
  }
  return hierarchy;
}

Hierarchy build_hierarchy_of_depth(Graph input, int num_levels, const CoarsenStep& step) {
  Hierarchy hierarchy = build_hierarchy(std::move(input), num_levels, step);
  while (hierarchy.num_levels() < num_levels) {
    const Graph top = hierarchy.graph(hierarchy.num_levels());
    hierarchy.add({ParentMap::identity(top.num_nodes()), top});
  }
  return hierarchy;
}

}  // namespace hgnet
