#pragma once

#include <string>

#include "hgnet/graph/hierarchy.hpp"
#include "layout.hpp"

namespace hgnet::app {

/// A picture of the hierarchy: one panel per level, each the input graph with its nodes coloured by
/// their coarse node at that level. Coarse nodes that touch have different colours; edges inside
/// one have its colour.
std::string hierarchy_svg(const Hierarchy& hierarchy, const Layout& layout,
                          const std::string& title);

}  // namespace hgnet::app
