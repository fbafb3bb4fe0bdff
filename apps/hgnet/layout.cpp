#include "layout.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hgnet/graph/algorithms.hpp"
#include "packing.hpp"
#include "spring_layout.hpp"

namespace hgnet::app {
namespace {

/// The component's own graph, its nodes numbered in the order of `nodes`, which is ascending.
Graph graph_of(const Graph& graph, std::span<const NodeId> nodes, std::vector<NodeId>& place) {
  for (std::size_t i = 0; i < nodes.size(); ++i) place[nodes[i]] = static_cast<NodeId>(i);
  EdgeList edges;
  for (const NodeId v : nodes) {
    for (const NodeId u : graph.neighbours(v)) {
      if (u >= v) continue;
      edges.source.push_back(place[u]);
      edges.target.push_back(place[v]);
    }
  }
  return Graph::from_edges(static_cast<std::int64_t>(nodes.size()), edges);
}

Drawing drawing_of(const Graph& graph, Layout places) {
  Drawing drawing{std::move(places), {}};
  for (NodeId v = 0; v < graph.num_nodes(); ++v) {
    for (const NodeId u : graph.neighbours(v)) {
      if (u < v) drawing.edges.emplace_back(u, v);
    }
  }
  return drawing;
}

/// Turns the longest direction, which has the largest variance, to x.
void level(Drawing& drawing) {
  const auto count = static_cast<double>(drawing.nodes.size());
  Point middle;
  for (const Point& p : drawing.nodes) middle = {middle.x + p.x / count, middle.y + p.y / count};
  double xx = 0;
  double xy = 0;
  double yy = 0;
  for (Point& p : drawing.nodes) {
    p = {p.x - middle.x, p.y - middle.y};
    xx += p.x * p.x;
    xy += p.x * p.y;
    yy += p.y * p.y;
  }
  const double angle = std::atan2(2 * xy, xx - yy) / 2;
  const double cosine = std::cos(angle);
  const double sine = std::sin(angle);
  for (Point& p : drawing.nodes) p = {cosine * p.x + sine * p.y, cosine * p.y - sine * p.x};
}

}  // namespace

std::pair<Point, Point> bounds_of(const Layout& layout) {
  Point low = layout.empty() ? Point{} : layout.front();
  Point high = low;
  for (const Point& p : layout) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  return {low, high};
}

Layout grid_layout(std::int64_t width, std::int64_t height) {
  Layout layout;
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x)
      layout.push_back({static_cast<double>(x), static_cast<double>(y)});
  }
  return layout;
}

Layout path_layout(std::int64_t num_nodes) {
  const auto side = static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(num_nodes))));
  Layout layout;
  for (std::int64_t v = 0; v < num_nodes; ++v) {
    const std::int64_t row = v / side;
    const std::int64_t column = row % 2 == 0 ? v % side : side - 1 - v % side;
    layout.push_back({static_cast<double>(column), static_cast<double>(row)});
  }
  return layout;
}

Layout force_directed_layout(const Graph& graph, std::uint64_t seed) {
  const ParentMap components = connected_components(graph);
  std::vector<NodeId> largest_first(components.num_parents());
  std::iota(largest_first.begin(), largest_first.end(), 0);
  std::stable_sort(largest_first.begin(), largest_first.end(), [&](NodeId a, NodeId b) {
    return components.members(a).size() > components.members(b).size();
  });
  std::vector<Drawing> drawings;
  std::vector<NodeId> place(graph.num_nodes());
  for (const NodeId component : largest_first) {
    const Graph part = graph_of(graph, components.members(component), place);
    level(drawings.emplace_back(drawing_of(part, spring_layout(part, seed))));
  }
  const std::vector<Point> moves = packed(drawings);
  Layout layout(graph.num_nodes());
  for (std::size_t i = 0; i < drawings.size(); ++i) {
    const auto nodes = components.members(largest_first[i]);
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      const Point p = drawings[i].nodes[n];
      layout[nodes[n]] = {p.x + moves[i].x, p.y + moves[i].y};
    }
  }
  return layout;
}

}  // namespace hgnet::app
