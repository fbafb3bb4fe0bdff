#include "data/crossing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <string>

#include "hgnet/core/error.hpp"
#include "hgnet/graph/generators.hpp"

namespace hgnet {
namespace {

constexpr NodeId kMargin = 2;  // between a window and the border of its cell
constexpr int kNoEnd = -1;

bool is_grid(const Graph& graph, NodeId width) {
  if (width < 2 || graph.num_nodes() % width != 0) return false;
  const Graph grid = grid_graph(width, graph.num_nodes() / width);
  return std::ranges::equal(graph.offsets(), grid.offsets()) &&
         std::ranges::equal(graph.columns(), grid.columns());
}

}  // namespace

CrossingLayout::CrossingLayout(const Graph& graph, const ColorConnectivityOptions& options)
    : side(4 * options.radius + 5), windows(options.windows) {
  // Node 0, in a corner, is joined with the next one in its row and the first one of the next row.
  width = graph.num_nodes() > 0 && graph.degree(0) == 2 ? graph.neighbours(0)[1] : 0;
  if (!is_grid(graph, width))
    throw InvalidGraph("color-connectivity: crossings need a grid, such as grid:32x32");
  const NodeId height = graph.num_nodes() / width;
  columns = static_cast<int>(std::ceil(std::sqrt(windows)));
  const int rows = (windows + columns - 1) / columns;
  cell_width = width / columns;
  cell_height = height / rows;
  const NodeId needed = side + 2 * kMargin;
  if (cell_width < needed || cell_height < needed) {
    throw InvalidGraph(
        "color-connectivity: crossings of radius " + std::to_string(options.radius) + " with " +
        std::to_string(windows) + (windows == 1 ? " window" : " windows") + " need a grid of " +
        std::to_string(columns * needed) + " x " + std::to_string(rows * needed) +
        " nodes at least (got " + std::to_string(width) + " x " + std::to_string(height) + ")");
  }
  num_red_outside = (graph.num_nodes() - std::int64_t{windows} * side * side) / 3;
}

CrossingPainter::CrossingPainter(const PaintSetup& setup)
    : csr_(setup.graph.csr()),
      layout_(setup.graph, setup.options),
      reach_((layout_.side - 1) / 2),
      previous_(setup.graph.num_nodes(), kNoNode) {}

int CrossingPainter::paint(Generator& generator, LabelSet) {
  place_windows(generator);
  if (!join_ends(generator) || !grow_branches(generator) || !join_islands(generator))
    return kNoLabel;
  paint_windows();
  const Window& window = windows_[generator.below(windows_.size())];
  const NodeId up = window.centre - layout_.width;
  const NodeId down = window.centre + layout_.width;
  turned_ = {up - 1, up + 1, down - 1, down + 1};
  return 0;
}

bool CrossingPainter::is_red(NodeId node, int sample) const {
  const bool differs =
      sample == 1 && std::find(turned_.begin(), turned_.end(), node) != turned_.end();
  return (red_[node] != 0) != differs;
}

/// To the next node in direction N, E, S or W.
NodeId CrossingPainter::step(int direction) const {
  const NodeId steps[kEnds] = {-layout_.width, 1, layout_.width, -1};
  return steps[direction];
}

void CrossingPainter::place_windows(Generator& generator) {
  const std::size_t num_nodes = previous_.size();
  red_.assign(num_nodes, 0);
  touched_.assign(num_nodes, 0);
  in_window_.assign(num_nodes, 0);
  windows_.clear();
  reds_.clear();
  ends_.clear();
  mate_.clear();
  const auto draw_place = [&](int cell, NodeId size) {
    const NodeId room = size - layout_.side - 2 * kMargin;
    return cell * size + kMargin + static_cast<NodeId>(generator.below(room + 1));
  };
  for (int w = 0; w < layout_.windows; ++w) {
    const NodeId left = draw_place(w % layout_.columns, layout_.cell_width);
    const NodeId top = draw_place(w / layout_.columns, layout_.cell_height);
    for (NodeId y = top; y < top + layout_.side; ++y) {
      const auto row = in_window_.begin() + y * layout_.width + left;
      std::fill(row, row + layout_.side, 1);
    }
    const NodeId centre = (top + reach_) * layout_.width + left + reach_;
    windows_.push_back({centre, generator.below(2) == 1});
    for (int direction = 0; direction < kEnds; ++direction) {
      ends_.push_back(centre + (reach_ + 1) * step(direction));
      mate_.push_back(static_cast<int>(mate_.size()));
      color(ends_.back());
    }
  }
}

void CrossingPainter::color(NodeId node) {
  red_[node] = 1;
  reds_.push_back(node);
  for (EdgeId s = csr_.offsets[node]; s < csr_.offsets[node + 1]; ++s) ++touched_[csr_.columns[s]];
}

/// Joins all ends by strands that do not touch, in random order; false if some have no way left.
bool CrossingPainter::join_ends(Generator& generator) {
  // Weights of very different sizes make winding routes.
  weight_.resize(red_.size());
  for (std::uint32_t& weight : weight_) weight = std::uint32_t{1} << generator.below(16);
  std::vector<int> order(ends_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  generator.shuffle(std::span<int>(order));
  for (const int end : order) {
    if (mate_[end] != end) continue;
    const int other = route(end);
    if (other == kNoEnd) return false;
    mate_[end] = other;
    mate_[other] = end;
  }
  return true;
}

/// The end at a node that is not joined yet.
int CrossingPainter::end_at(NodeId node) const {
  const auto found = std::find(ends_.begin(), ends_.end(), node);
  const int end = static_cast<int>(found - ends_.begin());
  return found == ends_.end() || mate_[end] != end ? kNoEnd : end;
}

/// A shortest path, by the nodes' weights, to the nearest end that is not joined yet, over nodes
/// that touch nothing red; colours it. A shortest path does not touch itself: it would be shorter.
int CrossingPainter::route(int end) {
  using Item = std::pair<std::uint64_t, NodeId>;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> queue;
  distance_.assign(red_.size(), std::numeric_limits<std::uint64_t>::max());
  const NodeId start = ends_[end];
  distance_[start] = 0;
  queue.push({0, start});
  while (!queue.empty()) {
    const auto [distance, node] = queue.top();
    queue.pop();
    if (distance > distance_[node]) continue;
    for (EdgeId s = csr_.offsets[node]; s < csr_.offsets[node + 1] && node != start; ++s) {
      const NodeId next = csr_.columns[s];
      if (red_[next] == 0 || next == start) continue;
      for (NodeId v = node; v != start; v = previous_[v]) color(v);
      return end_at(next);
    }
    for (EdgeId s = csr_.offsets[node]; s < csr_.offsets[node + 1]; ++s) {
      const NodeId next = csr_.columns[s];
      if (red_[next] != 0 || in_window_[next] != 0) continue;
      // Red neighbours of `next` other than the start: none, or an end to be joined.
      NodeId touching = kNoNode;
      int others = 0;
      for (EdgeId t = csr_.offsets[next]; t < csr_.offsets[next + 1] && touched_[next] > 0; ++t) {
        const NodeId neighbour = csr_.columns[t];
        if (red_[neighbour] == 0 || neighbour == start) continue;
        touching = neighbour;
        ++others;
      }
      if (others > 1 || (others == 1 && end_at(touching) == kNoEnd)) continue;
      const std::uint64_t there = distance + weight_[next];
      if (there >= distance_[next]) continue;
      distance_[next] = there;
      previous_[next] = node;
      queue.push({there, next});
    }
  }
  return kNoEnd;
}

/// Adds nodes that touch exactly one red node until there are enough.
bool CrossingPainter::grow_branches(Generator& generator) {
  std::vector<NodeId> candidates;
  const auto add_neighbours = [&](NodeId node) {
    for (EdgeId s = csr_.offsets[node]; s < csr_.offsets[node + 1]; ++s) {
      const NodeId next = csr_.columns[s];
      if (red_[next] == 0 && in_window_[next] == 0) candidates.push_back(next);
    }
  };
  for (const NodeId node : reds_) add_neighbours(node);
  while (std::ssize(reds_) < layout_.num_red_outside && !candidates.empty()) {
    std::swap(candidates[generator.below(candidates.size())], candidates.back());
    const NodeId node = candidates.back();
    candidates.pop_back();
    // A skipped node is never considered again: the number of red nodes it touches only grows.
    if (red_[node] != 0 || touched_[node] != 1) continue;
    color(node);
    add_neighbours(node);
  }
  return std::ssize(reds_) == layout_.num_red_outside;
}

/// Numbers the islands, by the ends on them; returns their number.
int CrossingPainter::find_islands() {
  island_.assign(ends_.size(), kNoEnd);
  int count = 0;
  for (std::size_t first = 0; first < ends_.size(); ++first) {
    if (island_[first] != kNoEnd) continue;
    for (int end = static_cast<int>(first); island_[end] == kNoEnd;) {
      island_[end] = count;
      // Through the core, N - E and S - W are directions d and 1 - d or 5 - d; N - W and S - E are
      // d and 3 - d.
      const int window = end / kEnds;
      const int d = end % kEnds;
      const int across = windows_[window].turned ? 3 - d : (d < 2 ? 1 - d : 5 - d);
      island_[window * kEnds + across] = count;
      end = mate_[window * kEnds + across];
    }
    ++count;
  }
  return count;
}

/// Turns cores at which two islands meet, each of which joins them, until one island is left.
/// False if islands remain that meet nowhere.
bool CrossingPainter::join_islands(Generator& generator) {
  while (find_islands() > 1) {
    std::vector<int> meeting;
    for (int w = 0; w < layout_.windows; ++w) {
      const auto island = island_.begin() + std::ptrdiff_t{w} * kEnds;
      if (std::any_of(island, island + kEnds, [&](int other) { return other != *island; }))
        meeting.push_back(w);
    }
    if (meeting.empty()) return false;
    Window& window = windows_[meeting[generator.below(meeting.size())]];
    window.turned = !window.turned;
  }
  return true;
}

void CrossingPainter::paint_windows() {
  for (const Window& window : windows_) {
    for (int direction = 0; direction < kEnds; ++direction) {
      for (NodeId i = 1; i <= reach_; ++i) red_[window.centre + i * step(direction)] = 1;
    }
    const NodeId one_corner = layout_.width + (window.turned ? 1 : -1);  // S with E, or S with W
    red_[window.centre + one_corner] = 1;
    red_[window.centre - one_corner] = 1;
  }
}

}  // namespace hgnet
