#include "svg.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

#include "hgnet/core/atomic_file.hpp"

namespace hgnet::app {
namespace {

constexpr double kPanel = 420;  // longer side of a panel's drawing
constexpr double kMargin = 28;
constexpr double kCaption = 30;  // under each panel
constexpr double kTitle = 44;

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

/// Scales the layout to a panel, keeping its proportions.
Panels::Panels(const Layout& layout) : layout_(layout) {
  const double nodes = std::max(1.0, static_cast<double>(layout.size()));
  radius_ = std::clamp(0.32 * kPanel / std::sqrt(nodes), 1.2, 9.0);
  if (layout.empty()) return;
  Point high = low_ = layout.front();
  for (const Point& p : layout) {
    low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  scale_ = kPanel / std::max({high.x - low_.x, high.y - low_.y, 1e-9});
  width_ = (high.x - low_.x) * scale_;
  height_ = (high.y - low_.y) * scale_;
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
