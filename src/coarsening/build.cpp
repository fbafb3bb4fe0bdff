#include "hgnet/coarsening/build.hpp"

#include <utility>

namespace hgnet {
namespace {

bool merges_nothing(const ParentMap& parent) {
  return parent.num_parents() == parent.num_children();
}

}  // namespace

Hierarchy build_hierarchy(Graph input, int max_levels, const CoarsenStep& step) {
  Hierarchy hierarchy(std::move(input));
  while (hierarchy.num_levels() < max_levels) {
    const int top = hierarchy.num_levels();
    Level level = step(hierarchy.graph(top), top);
    if (merges_nothing(level.parent)) break;
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
