#include "hierarchy_svg.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iomanip>
#include <limits>
#include <set>
#include <sstream>

#include "hgnet/coarsening/coarse_graph.hpp"

namespace hgnet::app {
namespace {

constexpr double kPanel = 420;  // side of a panel's drawing
constexpr double kMargin = 28;
constexpr double kCaption = 30;  // under each panel
constexpr double kTitle = 44;

/// Told apart by most eyes, colour-blind ones included, on white.
constexpr std::array kPalette = {"#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377",
                                 "#ee7733", "#009988", "#bbbbbb", "#332288", "#882255", "#999933"};

/// For each coarse node the palette entry that its neighbours do not have and that is used least.
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

struct Frame {
  double scale = 1;
  Point low;
  double width = 0;
  double height = 0;
};

/// Puts the layout into a panel, keeping its proportions.
Frame frame_of(const Layout& layout) {
  Frame frame;
  if (layout.empty()) return frame;
  Point high = frame.low = layout.front();
  for (const Point& p : layout) {
    frame.low = {std::min(frame.low.x, p.x), std::min(frame.low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  const double extent = std::max({high.x - frame.low.x, high.y - frame.low.y, 1e-9});
  frame.scale = kPanel / extent;
  frame.width = (high.x - frame.low.x) * frame.scale;
  frame.height = (high.y - frame.low.y) * frame.scale;
  return frame;
}

std::string escaped(const std::string& text) {
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

class Drawing {
 public:
  Drawing(const Hierarchy& hierarchy, const Layout& layout)
      : hierarchy_(hierarchy), layout_(layout), frame_(frame_of(layout)) {
    const double nodes = std::max(1.0, static_cast<double>(layout.size()));
    radius_ = std::clamp(0.32 * kPanel / std::sqrt(nodes), 1.2, 9.0);
    out_ << std::fixed << std::setprecision(1);
  }

  std::string draw(const std::string& title) {
    const int panels = hierarchy_.num_levels() + 1;
    const int columns = std::min(panels, 4);
    const int rows = (panels + columns - 1) / columns;
    const double cell_width = std::max(frame_.width, 200.0) + 2 * kMargin;
    const double cell_height = frame_.height + 2 * kMargin + kCaption;
    const double width = columns * cell_width;
    const double height = kTitle + rows * cell_height;
    out_ << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " << width << " " << height
         << "\" width=\"" << width << "\" height=\"" << height << "\" font-family=\"sans-serif\">\n"
         << "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
         << "<text x=\"" << kMargin << "\" y=\"30\" font-size=\"18\" fill=\"#222222\">"
         << escaped(title) << "</text>\n";
    for (int l = 0; l < panels; ++l) {
      const double x =
          (l % columns) * cell_width + kMargin + (cell_width - 2 * kMargin - frame_.width) / 2;
      const double y = kTitle + (l / columns) * cell_height + kMargin;
      out_ << "<g transform=\"translate(" << x << " " << y << ")\">\n";
      panel(l);
      out_ << "</g>\n";
    }
    out_ << "</svg>\n";
    return out_.str();
  }

 private:
  double x(NodeId v) const { return (layout_[v].x - frame_.low.x) * frame_.scale; }
  double y(NodeId v) const { return (layout_[v].y - frame_.low.y) * frame_.scale; }

  void panel(int level) {
    const Graph& input = hierarchy_.graph(0);
    const Graph& coarse = hierarchy_.graph(level);
    const ParentMap ancestor = hierarchy_.parent_from_input(level);
    const std::vector<std::size_t> colour = colours(coarse);
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
          inside << "<line x1=\"" << x(u) << "\" y1=\"" << y(u) << "\" x2=\"" << x(v) << "\" y2=\""
                 << y(v) << "\" stroke=\"" << fill(v) << "\"/>\n";
        } else {
          between << "M" << x(u) << " " << y(u) << "L" << x(v) << " " << y(v);
        }
      }
    }
    out_ << "<path d=\"" << between.str() << "\" stroke=\"#d0d0d0\" stroke-width=\""
         << 0.25 * radius_ << "\" fill=\"none\"/>\n<g stroke-width=\"" << 1.1 * radius_
         << "\" stroke-linecap=\"round\">\n"
         << inside.str() << "</g>\n";
    for (NodeId v = 0; v < input.num_nodes(); ++v) {
      out_ << "<circle cx=\"" << x(v) << "\" cy=\"" << y(v) << "\" r=\"" << radius_ << "\" fill=\""
           << fill(v) << "\"/>\n";
    }
    out_ << "<text x=\"0\" y=\"" << frame_.height + kMargin + 8
         << "\" font-size=\"14\" fill=\"#222222\">level " << level << ": " << coarse.num_nodes()
         << " nodes, " << coarse.num_undirected_edges() << " edges</text>\n";
  }

  const Hierarchy& hierarchy_;
  const Layout& layout_;
  Frame frame_;
  double radius_ = 1;
  std::ostringstream out_;
};

}  // namespace

std::string hierarchy_svg(const Hierarchy& hierarchy, const Layout& layout,
                          const std::string& title) {
  return Drawing(hierarchy, layout).draw(title);
}

}  // namespace hgnet::app
