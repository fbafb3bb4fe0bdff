#pragma once

#include <string>

#include "hgnet/graph/hierarchy.hpp"
#include "layout.hpp"

namespace hgnet::app {

/// Where the nodes of each level are drawn: those of the input as given, a coarse node in the middle of
/// the input nodes that it contains.
std::vector<Layout> level_layouts(const Hierarchy& hierarchy, const Layout& layout);

/// A picture of the hierarchy, two panels per level: above, the input graph with its nodes in the
/// colour of their coarse node; below, the coarse graph itself. See nested_colours. Edges inside a
/// coarse node have its colour.
std::string hierarchy_svg(const Hierarchy& hierarchy, const Layout& layout,
                          const std::string& title);

}  // namespace hgnet::app
