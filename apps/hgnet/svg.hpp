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

/// Equal panels in rows, each with the same layout of a graph but different content.
class Panels {
 public:
  explicit Panels(const Layout& layout);

  /// The whole picture. `draw(out, i)` draws panel i, in the coordinates of x and y; `caption(i)`
  /// goes below it.
  std::string picture(const std::string& title, int count, int columns,
                      const std::function<void(std::ostream&, int)>& draw,
                      const std::function<std::string(int)>& caption) const;

  double x(NodeId node) const { return (layout_[node].x - low_.x) * scale_; }
  double y(NodeId node) const { return (layout_[node].y - low_.y) * scale_; }
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

/// With what XML reserves escaped.
std::string svg_text(const std::string& text);

/// Throws Error if the file cannot be written.
void write_svg(const std::string& file, const std::string& svg);

}  // namespace hgnet::app
