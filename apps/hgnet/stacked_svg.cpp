#include "stacked_svg.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

#include "hierarchy_svg.hpp"
#include "level_colours.hpp"
#include "svg.hpp"

namespace hgnet::app {
namespace {

constexpr double kPlaneWidth = 380;  // of a plane, without its slant
constexpr double kFlat = 0.38;       // height of a plane in the picture, as a share of its depth
constexpr double kSlant = 0.45;      // how far its back edge is shifted, as a share of that height
constexpr double kRoom = 70;         // between planes
constexpr double kEdge = 34;         // around the nodes of a plane, and around the picture
constexpr double kHead = 80;         // title and captions
constexpr const char* kCoarseningColour = "#cc3311";
constexpr const char* kRefiningColour = "#0055aa";

enum class Pass { kCoarsening, kRefining };

/// Where the nodes of all levels are in the picture of one pass.
class Stack {
 public:
  Stack(const DrawnLevels& drawn, const Layout& layout)
      : drawn_(drawn), hierarchy_(drawn.hierarchy), colours_(nested_colours(hierarchy_)) {
    const auto [low, high] = bounds_of(layout);
    const double scale = kPlaneWidth / std::max({high.x - low.x, high.y - low.y, 1e-9});
    width_ = (high.x - low.x) * scale;
    depth_ = (high.y - low.y) * scale;
    Layout input;
    for (const Point& p : layout) input.push_back({(p.x - low.x) * scale, (p.y - low.y) * scale});
    levels_ = level_layouts(hierarchy_, input);
    const double nodes = std::max<double>(1, static_cast<double>(layout.size()));
    radius_ = std::clamp(0.18 * kPlaneWidth / std::sqrt(nodes), 1.4, 8.0);
  }

  double width() const { return width_ + slant() + 2 * kEdge; }
  double height() const {
    return plane_height() + static_cast<double>(levels_.size() - 1) * step() + 2 * kEdge;
  }
  double radius() const { return radius_; }

  /// Of a point of a level's plane; the back of a plane is further up and to the right.
  Point place(int level, Point p) const {
    return {kEdge + p.x + (1 - p.y / std::max(depth_, 1e-9)) * slant(),
            kEdge + kFlat * p.y + static_cast<double>(hierarchy_.num_levels() - level) * step()};
  }
  Point node(int level, NodeId v) const { return place(level, levels_[level][v]); }

  void draw_plane(std::ostream& out, int level) const {
    const double e = 0.6 * kEdge;
    out << "<polygon class=\"plane\" points=\"";
    for (const Point corner :
         {Point{-e, -e}, {width_ + e, -e}, {width_ + e, depth_ + e}, {-e, depth_ + e}}) {
      const Point at = place(level, corner);
      out << at.x << "," << at.y << " ";
    }
    out << "\" fill=\"#eef1f5\" fill-opacity=\"0.75\" stroke=\"#c4ccd6\"/>\n";
  }

  /// Over everything else, with a white border, so that lines do not cross out the words.
  void draw_caption(std::ostream& out, int level) const {
    const Point at = place(level, {-0.6 * kEdge, depth_ + 0.6 * kEdge});
    out << "<text x=\"" << at.x << "\" y=\"" << at.y + 13
        << "\" font-size=\"12\" fill=\"#444444\" stroke=\"#ffffff\" stroke-width=\"4\" "
           "paint-order=\"stroke\">"
        << drawn_.caption(level) << "</text>\n";
  }

  void draw_level(std::ostream& out, int level) const {
    const Graph& graph = hierarchy_.graph(level);
    out << "<path class=\"inside\" fill=\"none\" stroke=\"#555555\" stroke-width=\""
        << std::max(0.5, 0.22 * radius_) << "\" d=\"";
    for (NodeId v = 0; v < graph.num_nodes(); ++v) {
      for (const NodeId u : graph.neighbours(v)) {
        if (u < v) out << svg_line(node(level, u), node(level, v));
      }
    }
    out << "\"/>\n";
    for (NodeId v = 0; v < graph.num_nodes(); ++v)
      draw_circle(out, node(level, v), radius_, colours_[level][v]);
  }

  /// The lines from a level to the one above it, with arrows along the pass.
  void draw_parents(std::ostream& out, int level, Pass pass) const {
    const ParentMap& parent = hierarchy_.parent(level);
    const char* colour = pass == Pass::kCoarsening ? kCoarseningColour : kRefiningColour;
    // Many arrows are faint, so that the levels stay visible behind them.
    out << std::setprecision(2) << "<g opacity=\""
        << std::clamp(15 / std::sqrt(parent.num_children() + 1.0), 0.15, 1.0) << "\">\n"
        << std::setprecision(1);
    for (NodeId v = 0; v < parent.num_children(); ++v) {
      const NodeId p = parent.parent(v);
      if (p == kNoNode) continue;
      const Point low = node(level, v);
      const Point high = node(level + 1, p);
      const bool coarsening = pass == Pass::kCoarsening;
      arrow(out, coarsening ? low : high, coarsening ? high : low, colour);
    }
    out << "</g>\n";
  }

 private:
  /// A dashed line from circle to circle, with a head.
  void arrow(std::ostream& out, Point a, Point b, const char* colour) const {
    const double length = std::max(1e-9, std::hypot(b.x - a.x, b.y - a.y));
    const Point along{(b.x - a.x) / length, (b.y - a.y) / length};
    const double size = std::clamp(1.1 * radius_, 3.0, 7.0);
    const Point tip{b.x - along.x * (radius_ + 1), b.y - along.y * (radius_ + 1)};
    const Point base{tip.x - along.x * size, tip.y - along.y * size};
    out << "<path class=\"parent\" fill=\"none\" stroke=\"" << colour << "\" stroke-width=\""
        << std::max(0.5, 0.18 * radius_) << "\" stroke-dasharray=\"4 3\" d=\""
        << svg_line({a.x + along.x * radius_, a.y + along.y * radius_}, base) << "\"/><path fill=\""
        << colour << "\" d=\"M" << tip.x << " " << tip.y << "L" << base.x - along.y * 0.45 * size
        << " " << base.y + along.x * 0.45 * size << "L" << base.x + along.y * 0.45 * size << " "
        << base.y - along.x * 0.45 * size << "Z\"/>\n";
  }

  double plane_height() const { return kFlat * depth_; }
  double slant() const { return kSlant * depth_ * kFlat; }
  double step() const { return plane_height() + kRoom; }

  const DrawnLevels& drawn_;
  const Hierarchy& hierarchy_;
  std::vector<std::vector<std::string>> colours_;
  std::vector<Layout> levels_;
  double width_ = 0;
  double depth_ = 0;
  double radius_ = 1;
};

void draw_pass(std::ostream& out, const Stack& stack, const Hierarchy& hierarchy, Pass pass) {
  for (int l = 0; l <= hierarchy.num_levels(); ++l) {
    stack.draw_plane(out, l);
    stack.draw_level(out, l);
  }
  for (int l = 0; l < hierarchy.num_levels(); ++l) stack.draw_parents(out, l, pass);
  for (int l = 0; l <= hierarchy.num_levels(); ++l) stack.draw_caption(out, l);
}

}  // namespace

std::string stacked_svg(const Hierarchy& all, const Layout& layout, const std::string& title) {
  const DrawnLevels drawn = drawn_levels(all);
  const Stack stack(drawn, layout);
  const double width = 2 * stack.width();
  const double height = stack.height() + kHead;
  std::ostringstream out;
  out << std::fixed << std::setprecision(1);
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " << width << " " << height
      << "\" width=\"" << width << "\" height=\"" << height << "\" font-family=\"sans-serif\">\n"
      << "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
      << "<text x=\"" << kEdge << "\" y=\"30\" font-size=\"18\" fill=\"#222222\">"
      << svg_text(title) << "</text>\n";
  for (const Pass pass : {Pass::kCoarsening, Pass::kRefining}) {
    const bool coarsening = pass == Pass::kCoarsening;
    out << "<g transform=\"translate(" << (coarsening ? 0 : stack.width()) << " " << kHead
        << ")\">\n"
        << "<text x=\"" << kEdge << "\" y=\"-18\" font-size=\"14\" fill=\""
        << (coarsening ? kCoarseningColour : kRefiningColour) << "\">"
        << (coarsening ? "coarsening: a layer on each level, then a pool"
                       : "refining: a layer on each level and its parents")
        << "</text>\n";
    draw_pass(out, stack, drawn.hierarchy, pass);
    out << "</g>\n";
  }
  out << "</svg>\n";
  return out.str();
}

}  // namespace hgnet::app
