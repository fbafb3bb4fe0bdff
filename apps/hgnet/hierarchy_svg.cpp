#include "hierarchy_svg.hpp"

#include <algorithm>
#include <array>
#include <iomanip>
#include <limits>
#include <sstream>

#include "svg.hpp"

namespace hgnet::app {
namespace {

/// For each coarse node, the least used palette entry that its neighbours do not have.
std::vector<std::size_t> colours(const Graph& coarse) {
  std::vector<std::size_t> colour(coarse.num_nodes(), kPalette.size());
  std::array<std::int64_t, kPalette.size()> used{};
  for (NodeId p = 0; p < coarse.num_nodes(); ++p) {
    std::array<std::int64_t, kPalette.size()> cost = used;
    for (const NodeId q : coarse.neighbours(p)) {
      if (q != p && colour[q] < kPalette.size())
        cost[colour[q]] += std::numeric_limits<std::int32_t>::max();
    }
    colour[p] = std::min_element(cost.begin(), cost.end()) - cost.begin();
    ++used[colour[p]];
  }
  return colour;
}

void draw_level(std::ostream& out, const Panels& panels, const Hierarchy& hierarchy, int level) {
  const Graph& input = hierarchy.graph(0);
  const ParentMap ancestor = hierarchy.parent_from_input(level);
  const std::vector<std::size_t> colour = colours(hierarchy.graph(level));
  const auto fill = [&](NodeId v) {
    const NodeId p = ancestor.parent(v);
    return level == 0 ? "#8899aa" : p == kNoNode ? "#eeeeee" : kPalette[colour[p]];
  };
  std::ostringstream between;
  std::ostringstream inside;
  between << std::fixed << std::setprecision(1);
  inside << std::fixed << std::setprecision(1);
  for (NodeId v = 0; v < input.num_nodes(); ++v) {
    for (const NodeId u : input.neighbours(v)) {
      if (u >= v) continue;
      const bool same = level > 0 && ancestor.parent(u) == ancestor.parent(v);
      if (same) {
        inside << "<line x1=\"" << panels.x(u) << "\" y1=\"" << panels.y(u) << "\" x2=\""
               << panels.x(v) << "\" y2=\"" << panels.y(v) << "\" stroke=\"" << fill(v) << "\"/>\n";
      } else {
        between << "M" << panels.x(u) << " " << panels.y(u) << "L" << panels.x(v) << " "
                << panels.y(v);
      }
    }
  }
  out << "<path d=\"" << between.str() << "\" stroke=\"#d0d0d0\" stroke-width=\""
      << 0.25 * panels.radius() << "\" fill=\"none\"/>\n<g stroke-width=\"" << 1.1 * panels.radius()
      << "\" stroke-linecap=\"round\">\n"
      << inside.str() << "</g>\n";
  for (NodeId v = 0; v < input.num_nodes(); ++v) {
    out << "<circle cx=\"" << panels.x(v) << "\" cy=\"" << panels.y(v) << "\" r=\""
        << panels.radius() << "\" fill=\"" << fill(v) << "\"/>\n";
  }
}

}  // namespace

std::string hierarchy_svg(const Hierarchy& hierarchy, const Layout& layout,
                          const std::string& title) {
  const Panels panels(layout);
  return panels.picture(
      title, hierarchy.num_levels() + 1, 4,
      [&](std::ostream& out, int level) { draw_level(out, panels, hierarchy, level); },
      [&](int level) {
        const Graph& coarse = hierarchy.graph(level);
        return "level " + std::to_string(level) + ": " + std::to_string(coarse.num_nodes()) +
               " nodes, " + std::to_string(coarse.num_undirected_edges()) + " edges";
      });
}

}  // namespace hgnet::app
