#include "hgnet/report/chart.hpp"

#include <algorithm>
#include <cmath>

#include "hgnet/core/text.hpp"
#include "report/markup.hpp"
#include "report/number_text.hpp"

namespace hgnet {
namespace {

constexpr double kWidth = 420;
constexpr double kHeight = 270;
constexpr double kLeft = 58;
constexpr double kRight = 12;
constexpr double kTop = 12;
constexpr double kBottom = 40;

/// Maps data to the picture along one axis.
class Scale {
 public:
  /// Of these values, of which there must be one, with some room around them.
  Scale(const ChartAxis& axis, const std::vector<double>& values, double from, double to)
      : axis_(axis),
        low_(along_axis(*std::ranges::min_element(values))),
        high_(along_axis(*std::ranges::max_element(values))),
        from_(from),
        to_(to) {
    double room = high_ > low_ ? 0.06 * (high_ - low_) : axis.whole ? 1 : 0.5;
    // Enough to distinguish ticks in double precision.
    room = std::max(room, 1e-6 * std::max(std::abs(low_), std::abs(high_)));
    // Ticks at 1, 2, 5 are at most 0.4 apart, so there are at least two of them.
    if (axis.logarithmic) room = std::max(room, (0.8 - (high_ - low_)) / 2);
    low_ -= room;
    high_ += room;
  }

  double place(double value) const {
    return from_ + (along_axis(value) - low_) / (high_ - low_) * (to_ - from_);
  }

  std::vector<double> ticks() const {
    return axis_.logarithmic ? logarithmic_ticks() : linear_ticks();
  }

  double low() const { return low_; }
  double high() const { return high_; }

 private:
  double along_axis(double value) const { return axis_.logarithmic ? std::log10(value) : value; }

  std::vector<double> linear_ticks() const {
    const double rough = (high_ - low_) / 5;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (const double nice : {5.0, 2.0, 1.0}) {
      if (nice * power >= rough) step = nice * power;
    }
    if (axis_.whole) step = std::max(1.0, std::round(step));
    std::vector<double> result;
    for (double i = std::ceil(low_ / step); i * step <= high_; ++i)
      result.push_back(i * step + 0.0);  // -0 becomes 0
    return result;
  }

  /// Powers of ten, skipping some if there are many; 1, 2, 5 if there are few.
  std::vector<double> logarithmic_ticks() const {
    const double span = high_ - low_;
    const int stride = std::max(1, static_cast<int>(std::ceil(span / 6)));
    std::vector<double> result;
    for (int e = static_cast<int>(std::floor(low_)); e <= high_; ++e) {
      for (const double m : {1.0, 2.0, 5.0}) {
        const double exponent = e + std::log10(m);
        const bool shown = m == 1 ? e % stride == 0 : span < 2;
        if (shown && exponent >= low_ && exponent <= high_) result.push_back(m * std::pow(10, e));
      }
    }
    return result;
  }

  const ChartAxis& axis_;
  double low_;
  double high_;
  double from_;
  double to_;
};

bool drawable(const ChartPoint& point, const Chart& chart) {
  const auto on = [](const ChartAxis& axis, double value) {
    return std::isfinite(value) && (!axis.logarithmic || value > 0);
  };
  return on(chart.x, point.x) && on(chart.y, point.y);
}

/// About the size of a circle of radius 4.5 around the origin.
const char* marker_path(int style) {
  static const char* const paths[kChartStyles] = {
      "M4 0A4 4 0 1 1-4 0A4 4 0 1 1 4 0Z",                            // circle
      "M-3.6-3.6H3.6V3.6H-3.6Z",                                      // square
      "M0-4.8L4.4 3.2H-4.4Z",                                         // triangle
      "M0-5L4.4 0L0 5L-4.4 0Z",                                       // diamond
      "M-1.5-4.5H1.5V-1.5H4.5V1.5H1.5V4.5H-1.5V1.5H-4.5V-1.5H-1.5Z",  // plus
      "M0-2L2.5-4.5L4.5-2.5L2 0L4.5 2.5L2.5 4.5L0 2L-2.5 4.5L-4.5 2.5L-2 "
      "0L-4.5-2.5L-2.5-4.5Z",  // cross
      "M0 4.8L4.4-3.2H-4.4Z",  // triangle, point down
      "M0-5.4L1.5-1.8L5.2-1.7L2.3.7L3.3 4.4L0 2.3L-3.3 "
      "4.4L-2.3.7L-5.2-1.7L-1.5-1.8Z",         // star
      "M-2.3-4H2.3L4.6 0L2.3 4H-2.3L-4.6 0Z",  // hexagon
      "M-4.5-1.6H4.5V1.6H-4.5Z"};              // bar
  return paths[std::min(style, kChartStyles - 1)];
}

/// "250", "0.05", "1e-4": short enough for the space next to the axis.
std::string tick_text(double tick) {
  if (tick == 0 || std::abs(tick) >= 1e-3) return short_number(tick);
  const auto exponent = static_cast<int>(std::floor(std::log10(std::abs(tick)) + 1e-9));
  return short_number(tick / std::pow(10.0, exponent)) + "e" + std::to_string(exponent);
}

std::string at(double x, double y) { return fixed(x, 1) + " " + fixed(y, 1); }

/// "s3 d0".
Markup series_class(const ChartSeries& series) {
  return markup("s{} d{}", std::min(series.style, kChartStyles - 1), series.dash);
}

Markup grid_line(const Markup& path, const char* anchor, double x, double y, double tick) {
  return markup(R"(<path class="grid" d="{}"/><text class="tick {}" x="{}" y="{}">{}</text>)", path,
                anchor, fixed(x, 1), fixed(y, 1), tick_text(tick));
}

Markup axes(const Chart& chart, const Scale& x, const Scale& y) {
  const std::string bottom = fixed(kHeight - kBottom, 1);
  const std::string right = fixed(kWidth - kRight, 1);
  Markup lines;
  for (const double tick : y.ticks()) {
    const double place = y.place(tick);
    lines +=
        grid_line(markup("M{}H{}", at(kLeft, place), right), "end", kLeft - 6, place + 3.5, tick);
  }
  for (const double tick : x.ticks()) {
    const double place = x.place(tick);
    lines += grid_line(markup("M{}V{}", at(place, kTop), bottom), "middle", place,
                       kHeight - kBottom + 14, tick);
  }
  return markup(R"svg(<g class="axes">{}<path class="axis" d="M{}V{}H{}"/>
<text class="label middle" x="{}" y="{}">{}</text>
<text class="label middle" transform="translate(12 {}) rotate(-90)">{}</text></g>
)svg",
                lines, at(kLeft, kTop), bottom, right, fixed((kLeft + kWidth - kRight) / 2, 1),
                fixed(kHeight - 6, 1), chart.x.label, fixed((kTop + kHeight - kBottom) / 2, 1),
                chart.y.label);
}

Markup line_path(const Chart& chart, const ChartSeries& series, const Scale& x, const Scale& y) {
  std::string path;
  bool pen_down = false;
  for (const ChartPoint& point : series.points) {
    const bool drawn = drawable(point, chart);
    if (drawn) path.append(pen_down ? "L" : "M").append(at(x.place(point.x), y.place(point.y)));
    pen_down = drawn;
  }
  return markup(R"(<path class="line" d="{}"/>)", path);
}

Markup point_marks(const Chart& chart, const ChartSeries& series, const Scale& x, const Scale& y) {
  Markup out;
  for (const ChartPoint& point : series.points) {
    if (!drawable(point, chart)) continue;
    const double px = x.place(point.x);
    if (point.deviation > 0 && !chart.y.logarithmic)
      out += markup(R"(<path class="bar" d="M{}V{}"/>)", at(px, y.place(point.y - point.deviation)),
                    fixed(y.place(point.y + point.deviation), 1));
    out += markup(
        R"svg(<path class="marker" transform="translate({})" d="{}"><title>{}</title></path>)svg",
        at(px, y.place(point.y)), marker_path(series.style), point.title);
  }
  return out;
}

/// What the script needs to convert positions to values: the range of an axis, and whether it is
/// logarithmic.
std::string range_text(const Scale& scale, const ChartAxis& axis) {
  return short_number(scale.low()) + " " + short_number(scale.high()) +
         (axis.logarithmic ? " log" : "");
}

}  // namespace

std::string chart_svg(const Chart& chart) {
  std::vector<double> xs, ys;
  for (const ChartSeries& series : chart.series) {
    for (const ChartPoint& point : series.points) {
      if (!drawable(point, chart)) continue;
      xs.push_back(point.x);
      const double spread = chart.markers && !chart.y.logarithmic ? point.deviation : 0;
      ys.insert(ys.end(), {point.y - spread, point.y + spread});
    }
  }
  Markup attributes;
  Markup body = markup(R"(<text class="label middle" x="50%" y="50%">nothing to draw</text>)");
  if (!xs.empty()) {
    const Scale x(chart.x, xs, kLeft, kWidth - kRight);
    const Scale y(chart.y, ys, kHeight - kBottom, kTop);
    attributes =
        markup(R"( data-x="{}" data-y="{}" data-plot="{} {} {} {}")", range_text(x, chart.x),
               range_text(y, chart.y), short_number(kLeft), short_number(kTop),
               short_number(kWidth - kRight), short_number(kHeight - kBottom));
    body = axes(chart, x, y);
    for (const ChartSeries& series : chart.series)
      body += markup("<g class=\"series {}\" data-name=\"{}\">{}{}</g>\n", series_class(series),
                     series.name, chart.lines ? line_path(chart, series, x, y) : Markup(),
                     chart.markers ? point_marks(chart, series, x, y) : Markup());
  }
  return markup(
             "<svg class=\"chart\" viewBox=\"0 0 {} {}\" role=\"img\" "
             "aria-label=\"{}\"{}>\n{}</svg>\n",
             short_number(kWidth), short_number(kHeight), chart.title, attributes, body)
      .text;
}

std::string swatch_svg(const ChartSeries& series) {
  return markup(
             R"(<svg class="swatch" viewBox="-14 -7 28 14" aria-hidden="true"><g class="series {}"><path class="line"
d="M-13 0H13"/><path class="marker" d="{}"/></g></svg>)",
             series_class(series), marker_path(series.style))
      .text;
}

}  // namespace hgnet
