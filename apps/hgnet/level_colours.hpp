#pragma once

#include <string>
#include <vector>

#include "hgnet/graph/hierarchy.hpp"

namespace hgnet::app {

/// A colour (#rrggbb) for every node of every level. A coarse node gets an arc of the circle of
/// hues, in proportion to its input nodes, and divides it among its members: its colour is the mean
/// over that arc, close to those of its members, and greyer the more it contains. Nodes that no
/// level takes up are light grey.
std::vector<std::vector<std::string>> nested_colours(const Hierarchy& hierarchy);

}  // namespace hgnet::app
