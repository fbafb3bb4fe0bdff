#include "hierarchy_svg.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

#include "level_colours.hpp"
#include "svg.hpp"

namespace hgnet::app {
namespace {

constexpr int kColumns = 4;

using Colours = std::vector<std::string>;

/// The input graph in the colours of the level's nodes.
void draw_members(std::ostream& out, const Panels& panels, const Hierarchy& hierarchy, int level,
                  const Colours& colours) {
  const Graph& input = hierarchy.graph(0);
  const ParentMap ancestor = hierarchy.parent_from_input(level);
  const auto fill = [&](NodeId v) {
    return ancestor.parent(v) == kNoNode ? "#eeeeee" : colours[ancestor.parent(v)];
  };
  std::ostringstream between;
  std::ostringstream inside;
  between << std::fixed << std::setprecision(1);
  inside << std::fixed << std::setprecision(1);
  for (NodeId v = 0; v < input.num_nodes(); ++v) {
    for (const NodeId u : input.neighbours(v)) {
      if (u >= v) continue;
      if (level > 0 && ancestor.parent(u) == ancestor.parent(v)) {
        inside << "<path d=\"" << panels.line(u, v) << "\" stroke=\"" << fill(v) << "\"/>\n";
      } else {
        between << panels.line(u, v);
      }
    }
  }
  out << "<path d=\"" << between.str() << "\" stroke=\"#b0b0b0\" stroke-width=\""
      << std::max(0.3, 0.2 * panels.radius()) << "\" fill=\"none\"/>\n<g stroke-width=\""
      << 1.1 * panels.radius() << "\" stroke-linecap=\"round\">\n"
      << inside.str() << "</g>\n";
  for (NodeId v = 0; v < input.num_nodes(); ++v)
    draw_circle(out, panels.at(v), panels.radius(), fill(v));
}

/// The graph of a level: a node with more members is larger, but not in proportion.
void draw_coarse(std::ostream& out, const Panels& panels, const Hierarchy& hierarchy, int level,
                 const Layout& layout, const Colours& colours) {
  const Graph& graph = hierarchy.graph(level);
  const ParentMap ancestor = hierarchy.parent_from_input(level);
  out << "<path class=\"coarse\" fill=\"none\" stroke=\"#777777\" stroke-width=\""
      << std::max(0.4, 0.15 * panels.radius()) << "\" d=\"";
  for (NodeId p = 0; p < graph.num_nodes(); ++p) {
    for (const NodeId q : graph.neighbours(p)) {
      if (q < p) out << svg_line(panels.at(layout[q]), panels.at(layout[p]));
    }
  }
  out << "\"/>\n";
  for (NodeId p = 0; p < graph.num_nodes(); ++p) {
    const auto members = static_cast<double>(ancestor.members(p).size());
    draw_circle(out, panels.at(layout[p]), std::min(18.0, panels.radius() * std::cbrt(members)),
                colours[p]);
  }
}

}  // namespace

std::vector<Layout> level_layouts(const Hierarchy& hierarchy, const Layout& layout) {
  std::vector<Layout> levels{layout};
  for (int l = 1; l <= hierarchy.num_levels(); ++l) {
    const ParentMap ancestor = hierarchy.parent_from_input(l);
    Layout& coarse = levels.emplace_back(ancestor.num_parents());
    for (NodeId p = 0; p < ancestor.num_parents(); ++p) {
      const auto members = ancestor.members(p);
      for (const NodeId v : members) {
        coarse[p].x += layout[v].x / static_cast<double>(members.size());
        coarse[p].y += layout[v].y / static_cast<double>(members.size());
      }
    }
  }
  return levels;
}

std::string hierarchy_svg(const Hierarchy& hierarchy, const Layout& layout,
                          const std::string& title) {
  const Panels panels(layout, hierarchy.graph(0));
  const std::vector<Layout> layouts = level_layouts(hierarchy, layout);
  const std::vector<Colours> colours = nested_colours(hierarchy);
  const int levels = hierarchy.num_levels() + 1;
  const int columns = std::min(levels, kColumns);
  // A row of members, then a row of the same levels' coarse graphs.
  const auto level_at = [&](int panel) {
    return panel / (2 * columns) * columns + panel % columns;
  };
  const auto is_coarse = [&](int panel) { return panel / columns % 2 == 1; };
  const int rows = 2 * ((levels + columns - 1) / columns);
  return panels.picture(
      title, rows * columns, columns,
      [&](std::ostream& out, int panel) {
        const int level = level_at(panel);
        if (level >= levels) return;
        if (is_coarse(panel))
          draw_coarse(out, panels, hierarchy, level, layouts[level], colours[level]);
        else
          draw_members(out, panels, hierarchy, level, colours[level]);
      },
      [&](int panel) -> std::string {
        const int level = level_at(panel);
        if (level >= levels) return "";
        const std::string name = "level " + std::to_string(level);
        if (!is_coarse(panel)) return level == 0 ? "the input" : "members of " + name;
        const Graph& graph = hierarchy.graph(level);
        return name + ": " + std::to_string(graph.num_nodes()) + " nodes, " +
               std::to_string(graph.num_undirected_edges()) + " edges";
      });
}

}  // namespace hgnet::app
