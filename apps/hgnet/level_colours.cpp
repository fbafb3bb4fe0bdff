#include "level_colours.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

namespace hgnet::app {
namespace {

constexpr double kLightness = 0.66;
constexpr double kChroma = 0.15;
constexpr const char* kDropped = "#dddddd";

/// Part of the circle of hues; the whole is 0 to 1.
struct Arc {
  double begin = 0;
  double width = 0;  // 0: none
};

std::string hex(double linear) {
  const double light = std::clamp(linear, 0.0, 1.0);
  const double value =
      light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
  char text[8];
  std::snprintf(text, sizeof(text), "%02x", static_cast<int>(std::lround(255 * value)));
  return text;
}

/// Of the perceptual colour space Oklab (Ottosson, 2020), in which equal distances look equal.
std::string of_oklab(double lightness, double a, double b) {
  const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
  const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
  const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
  return "#" + hex(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s) +
         hex(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s) +
         hex(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s);
}

/// The mean colour over the arc.
std::string colour_of(Arc arc) {
  if (arc.width <= 0) return kDropped;
  const double half = std::numbers::pi * arc.width;
  const double chroma = kChroma * std::sin(half) / half;
  const double hue = 2 * std::numbers::pi * (arc.begin + arc.width / 2);
  return of_oklab(kLightness, chroma * std::cos(hue), chroma * std::sin(hue));
}

/// The input nodes in each node of each level.
std::vector<std::vector<double>> sizes_of(const Hierarchy& hierarchy) {
  std::vector<std::vector<double>> sizes{std::vector<double>(hierarchy.graph(0).num_nodes(), 1)};
  for (int l = 0; l < hierarchy.num_levels(); ++l) {
    const ParentMap& parent = hierarchy.parent(l);
    std::vector<double> above(parent.num_parents());
    for (NodeId v = 0; v < parent.num_children(); ++v) {
      if (parent.parent(v) != kNoNode) above[parent.parent(v)] += sizes.back()[v];
    }
    sizes.push_back(std::move(above));
  }
  return sizes;
}

}  // namespace

std::vector<std::vector<std::string>> nested_colours(const Hierarchy& hierarchy) {
  const std::vector<std::vector<double>> sizes = sizes_of(hierarchy);
  const int top = hierarchy.num_levels();
  std::vector<Arc> arcs(hierarchy.graph(top).num_nodes());
  double all = 0;
  for (const double size : sizes[top]) all += size;
  double begin = 0;
  for (std::size_t p = 0; p < arcs.size(); ++p) {
    arcs[p] = {begin, sizes[top][p] / all};
    begin += arcs[p].width;
  }
  std::vector<std::vector<std::string>> colours(top + 1);
  for (int l = top;; --l) {
    for (const Arc& arc : arcs) colours[l].push_back(colour_of(arc));
    if (l == 0) return colours;
    const ParentMap& parent = hierarchy.parent(l - 1);
    std::vector<Arc> below(parent.num_children());
    for (NodeId v = 0; v < parent.num_children(); ++v) {
      if (parent.parent(v) == kNoNode) continue;
      Arc& rest = arcs[parent.parent(v)];  // what the members before v leave
      below[v] = {rest.begin, sizes[l - 1][v] / all};
      rest.begin += below[v].width;
    }
    arcs = std::move(below);
  }
}

}  // namespace hgnet::app
