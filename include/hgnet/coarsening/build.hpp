#pragma once

#include <functional>
#include <limits>

#include "hgnet/graph/hierarchy.hpp"

namespace hgnet {

/// One step of a coarsening: builds the level above `graph`, which is level `level`. A step that
/// cannot merge anything returns as many coarse nodes as there are fine ones.
using CoarsenStep = std::function<Level(const Graph& graph, int level)>;

inline constexpr int kFullDepth = std::numeric_limits<int>::max();

/// Adds levels until there are `max_levels`, or until a step merges nothing (that level is left
/// out).
Hierarchy build_hierarchy(Graph input, int max_levels, const CoarsenStep& step);

/// The same with exactly `num_levels` levels, as a model of fixed depth needs. A graph that cannot
/// be coarsened further is repeated unchanged.
Hierarchy build_hierarchy_of_depth(Graph input, int num_levels, const CoarsenStep& step);

}  // namespace hgnet
