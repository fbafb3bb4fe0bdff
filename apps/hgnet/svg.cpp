#include "svg.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iomanip>
#include <limits>
#include <sstream>
#include <tuple>

#include "hgnet/core/atomic_file.hpp"

namespace hgnet::app {
namespace {

constexpr double kPanel = 420;  // longer side of a panel's drawing
constexpr double kMargin = 28;
constexpr double kCaption = 30;  // under each panel
constexpr double kTitle = 44;

/// Of the graph's edges; infinite if there are none.
double median_length(const Layout& layout, const Graph& graph) {
  std::vector<double> lengths;
  for (NodeId v = 0; v < graph.num_nodes(); ++v) {
    for (const NodeId u : graph.neighbours(v)) {
      if (u < v)
        lengths.push_back(std::hypot(layout[u].x - layout[v].x, layout[u].y - layout[v].y));
    }
  }
  if (lengths.empty()) return std::numeric_limits<double>::infinity();
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  return *middle;
}

}  // namespace

std::string svg_text(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '&')
      result += "&amp;";
    else
      result += c;
  }
  return result;
}

std::string svg_line(Point a, Point b) {
  char text[128];
  std::snprintf(text, sizeof(text), "M%.1f %.1fL%.1f %.1f", a.x, a.y, b.x, b.y);
  return text;
}

void draw_circle(std::ostream& out, Point centre, double radius, const std::string& fill) {
  out << "<circle cx=\"" << centre.x << "\" cy=\"" << centre.y << "\" r=\"" << radius
      << "\" fill=\"" << fill << "\"/>\n";
}

/// Scales the layout to a panel, keeping its proportions.
Panels::Panels(const Layout& layout, const Graph& graph) : layout_(layout) {
  Point high;
  std::tie(low_, high) = bounds_of(layout);
  scale_ = kPanel / std::max({high.x - low_.x, high.y - low_.y, 1e-9});
  width_ = (high.x - low_.x) * scale_;
  height_ = (high.y - low_.y) * scale_;
  const double nodes = std::max(1.0, static_cast<double>(layout.size()));
  const double room = std::min(kPanel / std::sqrt(nodes), scale_ * median_length(layout, graph));
  radius_ = std::clamp(0.32 * room, 1.0, 9.0);
}

std::string Panels::picture(const std::string& title, int count, int columns,
                            const std::function<void(std::ostream&, int)>& draw,
                            const std::function<std::string(int)>& caption) const {
  columns = std::min(count, columns);
  const int rows = (count + columns - 1) / columns;
  const double cell_width = std::max(width_, 200.0) + 2 * kMargin;
  const double cell_height = height_ + 2 * kMargin + kCaption;
  const double width = columns * cell_width;
  const double height = kTitle + rows * cell_height;
  std::ostringstream out;
  out << std::fixed << std::setprecision(1);
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " << width << " " << height
      << "\" width=\"" << width << "\" height=\"" << height << "\" font-family=\"sans-serif\">\n"
      << "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
      << "<text x=\"" << kMargin << "\" y=\"30\" font-size=\"18\" fill=\"#222222\">"
      << svg_text(title) << "</text>\n";
  for (int i = 0; i < count; ++i) {
    const double left =
        (i % columns) * cell_width + kMargin + (cell_width - 2 * kMargin - width_) / 2;
    const double top = kTitle + (i / columns) * cell_height + kMargin;
    out << "<g transform=\"translate(" << left << " " << top << ")\">\n";
    draw(out, i);
    out << "<text x=\"0\" y=\"" << height_ + kMargin + 8 << "\" font-size=\"14\" fill=\"#222222\">"
        << svg_text(caption(i)) << "</text>\n</g>\n";
  }
  out << "</svg>\n";
  return out.str();
}

void write_svg(const std::string& file, const std::string& svg) { write_atomically(file, svg); }

}  // namespace hgnet::app
