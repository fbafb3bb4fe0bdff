#pragma once

#include <string>

#include "hgnet/graph/hierarchy.hpp"
#include "layout.hpp"

namespace hgnet::app {

/// A picture of the hierarchy as in the paper's Figure 1: the levels lie above each other, with the
/// edges inside levels and dashed lines to parents. It is drawn twice, for the two passes: arrows
/// from merged nodes up to their parents, and arrows from parents down to their members. A coarse
/// node stands above the middle of the input nodes that it contains.
std::string stacked_svg(const Hierarchy& hierarchy, const Layout& layout, const std::string& title);

}  // namespace hgnet::app
