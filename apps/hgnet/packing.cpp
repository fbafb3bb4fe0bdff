#include "packing.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace hgnet::app {
namespace {

/// Side of a cell; larger pictures have larger ones.
constexpr double kLeastCell = 0.8;
constexpr double kMostCells = 400;

using Cell = std::pair<int, int>;

Cell cell_at(Point p, double side) {
  return {static_cast<int>(std::floor(p.x / side)), static_cast<int>(std::floor(p.y / side))};
}

/// All cells that the drawing touches, with `middle` in the cell (0, 0).
std::vector<Cell> cells_of(const Drawing& drawing, Point middle, double side) {
  std::set<Cell> cells;
  const auto touch = [&](Point p) {
    cells.insert(cell_at({p.x - middle.x, p.y - middle.y}, side));
  };
  for (const Point& p : drawing.nodes) touch(p);
  for (const auto& [u, v] : drawing.edges) {
    const Point a = drawing.nodes[u];
    const Point b = drawing.nodes[v];
    const int steps = static_cast<int>(4 * std::hypot(b.x - a.x, b.y - a.y) / side);
    for (int s = 1; s < steps; ++s) {
      const double share = static_cast<double>(s) / steps;
      touch({a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)});
    }
  }
  return {cells.begin(), cells.end()};
}

/// The places at distance `ring` from the middle: a square's border, from the middle of its sides
/// to its corners.
std::vector<Cell> places_on(int ring) {
  std::vector<Cell> places;
  for (int i = 0; i <= ring; ++i) {
    for (const int along : {i, -i}) {
      places.insert(places.end(), {{along, ring}, {ring, along}, {along, -ring}, {-ring, along}});
    }
  }
  return places;
}

class Space {
 public:
  /// The place closest to the middle where the cells are free; they are taken then.
  Cell take(const std::vector<Cell>& cells, int first_ring) {
    for (int ring = first_ring;; ++ring) {
      for (const Cell& place : places_on(ring)) {
        if (!is_free(cells, place)) continue;
        mark(cells, place);
        return place;
      }
    }
  }

 private:
  bool is_free(const std::vector<Cell>& cells, Cell place) const {
    return std::none_of(cells.begin(), cells.end(), [&](const Cell& cell) {
      return taken_.count({cell.first + place.first, cell.second + place.second}) > 0;
    });
  }

  /// Also takes the cells around them.
  void mark(const std::vector<Cell>& cells, Cell place) {
    for (const Cell& cell : cells) {
      for (int x = -1; x <= 1; ++x) {
        for (int y = -1; y <= 1; ++y)
          taken_.insert({cell.first + place.first + x, cell.second + place.second + y});
      }
    }
  }

  std::set<Cell> taken_;
};

double extent_of(const Drawing& drawing) {
  const auto [low, high] = bounds_of(drawing.nodes);
  return std::max(high.x - low.x, high.y - low.y);
}

/// Columns and rows of cells.
Cell size_of(const std::vector<Cell>& cells) {
  Cell low = cells.front();
  Cell high = low;
  for (const auto& [x, y] : cells) {
    low = {std::min(low.first, x), std::min(low.second, y)};
    high = {std::max(high.first, x), std::max(high.second, y)};
  }
  return {high.first - low.first, high.second - low.second};
}

}  // namespace

std::vector<Point> packed(const std::vector<Drawing>& drawings) {
  double side = kLeastCell;
  for (const Drawing& drawing : drawings) side = std::max(side, extent_of(drawing) / kMostCells);
  Space space;
  std::map<Cell, int> first_ring;  // for drawings of that size: rings further inside are full
  std::vector<Point> moves;
  for (const Drawing& drawing : drawings) {
    const auto [low, high] = bounds_of(drawing.nodes);
    const Point middle{(low.x + high.x) / 2, (low.y + high.y) / 2};
    const std::vector<Cell> cells = cells_of(drawing, middle, side);
    int& ring = first_ring[size_of(cells)];
    const Cell place = space.take(cells, ring);
    ring = std::max(std::abs(place.first), std::abs(place.second));
    moves.push_back({place.first * side - middle.x, place.second * side - middle.y});
  }
  return moves;
}

}  // namespace hgnet::app
