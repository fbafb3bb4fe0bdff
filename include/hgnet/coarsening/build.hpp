#pragma once

#include <functional>
#include <limits>

#include "hgnet/graph/hierarchy.hpp"

namespace hgnet {

/// One step of a coarsening: builds the level above `graph`, which is level `level`. A step that
/// cannot merge anything returns as many coarse nodes as there are fine ones.
using CoarsenStep = std::function<Level(const Graph& graph, int level)>;

inline constexpr int kFullDepth = std::numeric_limits<int>::max();

/// Adds levels until there are `max_levels`, until a step merges nothing (that level is left out),
/// or before a level that is smaller than the one below by less than the share `least_shrink`. The
/// size of a level is its edges and the nodes that have any. With a share all levels together are
/// at most 1 / least_shrink times as large as the input; without one, a star has a level for every
/// leaf.
Hierarchy build_hierarchy(Graph input, int max_levels, const CoarsenStep& step,
                          double least_shrink = 0);

/// The same with exactly `num_levels` levels, as a model of fixed depth needs. A graph that cannot
/// be coarsened further is repeated unchanged.
Hierarchy build_hierarchy_of_depth(Graph input, int num_levels, const CoarsenStep& step);

}  // namespace hgnet
