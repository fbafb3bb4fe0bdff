// Pictures of one graph, several side by side.

#pragma once

#include <array>
#include <functional>
#include <ostream>
#include <string>

#include "layout.hpp"

namespace hgnet::app {

/// Colours that most people, including the colour-blind, can distinguish on white. The second is
/// red.
inline constexpr std::array kPalette = {"#4477aa", "#ee6677", "#228833", "#ccbb44",
                                        "#66ccee", "#aa3377", "#ee7733", "#009988",
                                        "#bbbbbb", "#332288", "#882255", "#999933"};

/// With what XML reserves escaped.
std::string svg_text(const std::string& text);

/// Path data of a line: "M1.0 2.0L3.0 4.0".
std::string svg_line(Point a, Point b);

void draw_circle(std::ostream& out, Point centre, double radius, const std::string& fill);

/// Equal panels in rows, each with the same layout of a graph but different content.
class Panels {
 public:
  /// Circles are small enough that most edges of the graph show between them.
  Panels(const Layout& layout, const Graph& graph);

  /// The whole picture. `draw(out, i)` draws panel i, in the coordinates of x and y; `caption(i)`
  /// goes below it.
  std::string picture(const std::string& title, int count, int columns,
                      const std::function<void(std::ostream&, int)>& draw,
                      const std::function<std::string(int)>& caption) const;

  /// Of a node, and of any point of the layout.
  Point at(NodeId node) const { return at(layout_[node]); }
  Point at(Point p) const { return {(p.x - low_.x) * scale_, (p.y - low_.y) * scale_}; }
  /// Path data of the line between two nodes.
  std::string line(NodeId a, NodeId b) const { return svg_line(at(a), at(b)); }
  /// Radius of the circle of a node.
  double radius() const { return radius_; }

 private:
  Layout layout_;
  Point low_;
  double scale_ = 1;
  double width_ = 0;
  double height_ = 0;
  double radius_ = 1;
};

/// Throws Error if the file cannot be written.
void write_svg(const std::string& file, const std::string& svg);

}  // namespace hgnet::app
