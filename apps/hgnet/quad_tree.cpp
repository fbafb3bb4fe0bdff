#include "quad_tree.hpp"

#include <algorithm>
#include <cmath>

namespace hgnet::app {
namespace {

constexpr std::int32_t kNone = -1;

}  // namespace

QuadTree::QuadTree(const Layout& points) {
  if (points.empty()) return;
  const auto [low, high] = bounds_of(points);
  squares_.reserve(2 * points.size());
  Square all;
  all.centre = {(low.x + high.x) / 2, (low.y + high.y) / 2};
  all.side = std::max({high.x - low.x, high.y - low.y, 1e-12});
  squares_.push_back(all);
  for (const Point& p : points) insert(p);
}

std::int32_t QuadTree::quarter_around(std::int32_t square, Point p) {
  const Square from = squares_[square];
  const bool right = p.x >= from.centre.x;
  const bool above = p.y >= from.centre.y;
  const std::size_t which = (right ? 1 : 0) + (above ? 2 : 0);
  if (from.quarters[which] != kNone) return from.quarters[which];
  Square quarter;
  quarter.side = from.side / 2;
  quarter.centre = {from.centre.x + (right ? quarter.side : -quarter.side) / 2,
                    from.centre.y + (above ? quarter.side : -quarter.side) / 2};
  const auto index = static_cast<std::int32_t>(squares_.size());
  squares_.push_back(quarter);
  squares_[square].quarters[which] = index;
  squares_[square].divided = true;
  return index;
}

/// A square with one point is not divided; a second point moves the first into a quarter.
void QuadTree::insert(Point p) {
  std::int32_t at = 0;
  for (int depth = 0;; ++depth) {
    Square& square = squares_[at];
    const Point before = square.mean;
    const double count = square.count;
    square.mean = {(count * before.x + p.x) / (count + 1), (count * before.y + p.y) / (count + 1)};
    square.count += 1;
    if (count == 0 || depth == kDeepest) return;
    if (count == 1) {
      Square& quarter = squares_[quarter_around(at, before)];
      quarter.mean = before;
      quarter.count = 1;
    }
    at = quarter_around(at, p);
  }
}

Point QuadTree::repulsion(Point p) const {
  Point force;
  std::array<std::int32_t, 4 * (kDeepest + 2)> open{};
  std::size_t count = squares_.empty() ? 0 : 1;  // the stack holds the first square
  while (count > 0) {
    const Square& square = squares_[open[--count]];
    const double x = p.x - square.mean.x;
    const double y = p.y - square.mean.y;
    const double distance2 = x * x + y * y;
    if (square.divided && square.side * square.side >= kOpening * kOpening * distance2) {
      for (const std::int32_t quarter : square.quarters) {
        if (quarter != kNone) open[count++] = quarter;
      }
    } else if (distance2 > 0) {
      const double strength = square.count / (distance2 * std::sqrt(distance2));
      force = {force.x + strength * x, force.y + strength * y};
    }
  }
  return force;
}

}  // namespace hgnet::app
