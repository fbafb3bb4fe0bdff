#pragma once

#include <string>
#include <vector>

#include "hgnet/graph/hierarchy.hpp"
#include "layout.hpp"

namespace hgnet::app {

/// What is drawn of a hierarchy: the input, each level with at most three quarters of the nodes of
/// the one drawn before it, and the last one. Parents reach across what is left out.
struct DrawnLevels {
  Hierarchy hierarchy;
  std::vector<int> numbers;  // by drawn level: its number among all

  /// "level 3: 8 nodes, 10 edges".
  std::string caption(int level) const;
};
DrawnLevels drawn_levels(const Hierarchy& all);

/// Where the nodes of each level are drawn: those of the input as given, a coarse node in the
/// middle of the input nodes that it contains.
std::vector<Layout> level_layouts(const Hierarchy& hierarchy, const Layout& layout);

/// A picture of the hierarchy, two panels per level drawn: above, the input graph with its nodes in
/// the colour of their coarse node; below, the coarse graph itself. See nested_colours. Edges
/// inside a coarse node have its colour.
std::string hierarchy_svg(const Hierarchy& hierarchy, const Layout& layout,
                          const std::string& title);

}  // namespace hgnet::app
