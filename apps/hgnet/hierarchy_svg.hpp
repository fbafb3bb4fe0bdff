#pragma once

#include <string>

#include "hgnet/graph/hierarchy.hpp"
#include "layout.hpp"

namespace hgnet::app {

/// A picture of the hierarchy, one panel per level. Each shows the input graph with its nodes
/// coloured by their coarse node at that level. Adjacent coarse nodes have different colours; edges
/// inside a coarse node have its colour.
std::string hierarchy_svg(const Hierarchy& hierarchy, const Layout& layout,
                          const std::string& title);

}  // namespace hgnet::app
