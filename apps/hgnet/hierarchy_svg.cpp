#include "hierarchy_svg.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
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

/// The distance of each point to the nearest other one.
std::vector<double> gaps_of(const std::vector<Point>& points) {
  std::vector<double> gaps(points.size(), std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double gap = std::hypot(points[i].x - points[j].x, points[i].y - points[j].y);
      gaps[i] = std::min(gaps[i], gap);
      gaps[j] = std::min(gaps[j], gap);
    }
  }
  return gaps;
}

/// The graph of a level: a node with more members is larger, but not in proportion, and not so
/// large that it hides another.
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
  std::vector<Point> places;
  for (const Point& p : layout) places.push_back(panels.at(p));
  const std::vector<double> gaps =
      level == 0 ? std::vector<double>(places.size()) : gaps_of(places);
  for (NodeId p = 0; p < graph.num_nodes(); ++p) {
    const auto members = static_cast<double>(ancestor.members(p).size());
    const double room = std::max(panels.radius(), 0.5 * gaps[p]);
    draw_circle(out, places[p], std::min({18.0, panels.radius() * std::cbrt(members), room}),
                colours[p]);
  }
}

}  // namespace

std::string DrawnLevels::caption(int level) const {
  const auto counted = [](std::int64_t count, const char* what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
  };
  const Graph& graph = hierarchy.graph(level);
  return "level " + std::to_string(numbers[level]) + ": " + counted(graph.num_nodes(), "node") +
         ", " + counted(graph.num_undirected_edges(), "edge");
}

DrawnLevels drawn_levels(const Hierarchy& all) {
  DrawnLevels drawn{Hierarchy(all.graph(0)), {0}};
  ParentMap parent = ParentMap::identity(all.graph(0).num_nodes());
  for (int l = 1; l <= all.num_levels(); ++l) {
    parent = parent.then(all.parent(l - 1));
    if (l < all.num_levels() &&
        4 * std::int64_t{parent.num_parents()} > 3 * std::int64_t{parent.num_children()})
      continue;
    drawn.hierarchy.add({parent, all.graph(l)});
    drawn.numbers.push_back(l);
    parent = ParentMap::identity(parent.num_parents());
  }
  return drawn;
}

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

std::string hierarchy_svg(const Hierarchy& all, const Layout& layout, const std::string& title) {
  const DrawnLevels drawn = drawn_levels(all);
  const Hierarchy& hierarchy = drawn.hierarchy;
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
        if (is_coarse(panel)) return drawn.caption(level);
        return level == 0 ? "the input"
                          : "members of level " + std::to_string(drawn.numbers[level]);
      });
}

}  // namespace hgnet::app
