#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "layout.hpp"

namespace hgnet::app {

/// Points in squares that are divided until each holds one point, for sums over all points in which
/// a distant square counts as one (Barnes and Hut).
class QuadTree {
 public:
  explicit QuadTree(const Layout& points);

  /// The sum over all other points q of (p - q) / |p - q|^3, with squares of side s at distance d
  /// taken as one point if s < kOpening * d. Points at the same place as p do not count.
  Point repulsion(Point p) const;

 private:
  static constexpr double kOpening = 0.9;
  static constexpr int kDeepest = 30;

  struct Square {
    Point centre;
    double side = 0;
    Point mean;  // of its points
    double count = 0;
    std::array<std::int32_t, 4> quarters{-1, -1, -1, -1};  // -1: no points there
    bool divided = false;
  };

  void insert(Point p);
  /// The square's quarter around p; adds it if there is none.
  std::int32_t quarter_around(std::int32_t square, Point p);

  std::vector<Square> squares_;  // the first holds all points
};

}  // namespace hgnet::app
