// Pictures of one graph, several beside each other.

#pragma once

#include <array>
#include <functional>
#include <ostream>
#include <string>

#include "layout.hpp"

namespace hgnet::app {

/// Told apart by most eyes, colour-blind ones included, on white. The second is a red.
inline constexpr std::array kPalette = {"#4477aa", "#ee6677", "#228833", "#ccbb44",
                                        "#66ccee", "#aa3377", "#ee7733", "#009988",
                                        "#bbbbbb", "#332288", "#882255", "#999933"};

/// Equal panels in rows, each the same layout of a graph with something different shown on it.
class Panels {
 public:
  explicit Panels(const Layout& layout);

  /// The whole picture. `draw(out, i)` adds what is in panel i, in the coordinates of x and y;
  /// `caption(i)` stands below it.
  std::string picture(const std::string& title, int count, int columns,
                      const std::function<void(std::ostream&, int)>& draw,
                      const std::function<std::string(int)>& caption) const;

  double x(NodeId node) const { return (layout_[node].x - low_.x) * scale_; }
  double y(NodeId node) const { return (layout_[node].y - low_.y) * scale_; }
  /// Of a circle that stands for a node.
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
