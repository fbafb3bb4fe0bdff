#pragma once

#include <string>
#include <vector>

namespace hgnet {

struct ChartPoint {
  double x = 0;
  double y = 0;
  double deviation = 0;    // drawn as an error bar; 0: none
  std::string title = {};  // shown on hover
};

/// The style and dash select colour, marker and line in the stylesheet (classes s0, s1, ...; d0,
/// d1, ...).
struct ChartSeries {
  std::string name;
  int style = 0;  // kChartStyles - 1 and above look alike
  int dash = 0;
  std::vector<ChartPoint> points = {};
};

struct ChartAxis {
  std::string label;
  bool logarithmic = false;  // points that are not positive are left out
  bool whole = false;        // ticks at whole numbers only
};

struct Chart {
  std::string title;
  ChartAxis x;
  ChartAxis y;
  bool lines = true;
  bool markers = true;
  std::vector<ChartSeries> series = {};
};

inline constexpr int kChartStyles = 10;

/// One inline <svg>, without fixed colours or size. Points that are not finite are left out; a
/// chart with no points says so.
std::string chart_svg(const Chart& chart);

/// A swatch for legends: a short line with its marker.
std::string swatch_svg(const ChartSeries& series);

}  // namespace hgnet
