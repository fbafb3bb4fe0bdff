#include "layout.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "hgnet/coarsening/methods.hpp"
#include "hgnet/core/random.hpp"
#include "hgnet/graph/algorithms.hpp"
#include "hgnet/graph/generators.hpp"
#include "level_colours.hpp"
#include "quad_tree.hpp"

namespace hgnet::app {
namespace {

double distance(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y); }

Graph star(NodeId leaves) {
  EdgeList edges;
  for (NodeId v = 1; v <= leaves; ++v) {
    edges.source.push_back(0);
    edges.target.push_back(v);
  }
  return Graph::from_edges(leaves + 1, edges);
}

/// Each node with a few others at random, and a few hubs.
Graph random_graph(NodeId nodes, Generator& generator) {
  EdgeList edges;
  for (NodeId v = 1; v < nodes; ++v) {
    for (int i = 0; i < 2; ++i) {
      edges.source.push_back(v);
      edges.target.push_back(static_cast<std::int64_t>(generator.below(i == 0 ? v : 1 + v / 10)));
    }
  }
  return Graph::from_edges(nodes, edges);
}

Graph joined(const std::vector<Graph>& parts) {
  EdgeList edges;
  std::int64_t first = 0;
  for (const Graph& part : parts) {
    for (NodeId v = 0; v < part.num_nodes(); ++v) {
      for (const NodeId u : part.neighbours(v)) {
        edges.source.push_back(first + u);
        edges.target.push_back(first + v);
      }
    }
    first += part.num_nodes();
  }
  return Graph::from_edges(first, edges);
}

std::vector<std::pair<NodeId, NodeId>> edges_of(const Graph& graph) {
  std::vector<std::pair<NodeId, NodeId>> edges;
  for (NodeId v = 0; v < graph.num_nodes(); ++v) {
    for (const NodeId u : graph.neighbours(v)) {
      if (u < v) edges.emplace_back(u, v);
    }
  }
  return edges;
}

double least_distance(const Layout& layout) {
  double least = 1e9;
  for (std::size_t i = 0; i < layout.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) least = std::min(least, distance(layout[i], layout[j]));
  }
  return least;
}

double mean_edge(const Graph& graph, const Layout& layout) {
  double sum = 0;
  for (const auto& [u, v] : edges_of(graph)) sum += distance(layout[u], layout[v]);
  return sum / static_cast<double>(graph.num_undirected_edges());
}

double mean_pair(const Layout& layout) {
  double sum = 0;
  const auto count = static_cast<double>(layout.size());
  for (std::size_t i = 0; i < layout.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) sum += distance(layout[i], layout[j]);
  }
  return sum / (count * (count - 1) / 2);
}

/// On which side of the line from a to b the point is.
double side(Point a, Point b, Point p) {
  return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

bool cross(Point a, Point b, Point c, Point d) {
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

TEST(Layout, KeepsNodesApart) {
  Generator generator(3);
  for (const Graph& graph : {grid_graph(12, 9), path_graph(80), star(50),
                             random_graph(300, generator), Graph::from_edges(30, {})}) {
    const Layout layout = force_directed_layout(graph);
    ASSERT_EQ(layout.size(), static_cast<std::size_t>(graph.num_nodes()));
    const double scale = graph.num_undirected_edges() > 0 ? mean_edge(graph, layout) : 1;
    EXPECT_GT(least_distance(layout), 0.02 * scale) << graph.num_nodes() << " nodes";
  }
}

TEST(Layout, DrawsEdgesShorterThanTheDistanceOfRandomPairs) {
  Generator generator(4);
  for (const auto& [graph, share] : {std::pair(grid_graph(16, 16), 0.2),
                                     {path_graph(100), 0.1},
                                     {random_graph(400, generator), 0.9}}) {
    const Layout layout = force_directed_layout(graph);
    EXPECT_LT(mean_edge(graph, layout), share * mean_pair(layout)) << graph.num_nodes() << " nodes";
  }
}

TEST(Layout, UnfoldsAPath) {
  const Graph path = path_graph(60);
  const Layout layout = force_directed_layout(path);
  EXPECT_GT(distance(layout.front(), layout.back()), 0.5 * 59 * mean_edge(path, layout));
  const auto [low, high] = bounds_of(layout);
  EXPECT_GT(high.x - low.x, 2 * (high.y - low.y));  // the longest direction is horizontal
}

TEST(Layout, UnfoldsAGrid) {
  constexpr int kSide = 15;
  const Graph grid = grid_graph(kSide, kSide);
  const Layout layout = force_directed_layout(grid);
  std::int64_t crossings = 0;
  const auto edges = edges_of(grid);
  for (const auto& [a, b] : edges) {
    for (const auto& [c, d] : edges)
      crossings += cross(layout[a], layout[b], layout[c], layout[d]) ? 1 : 0;
  }
  EXPECT_EQ(crossings, 0);
}

TEST(Layout, IsTheSameForTheSameSeed) {
  Generator generator(5);
  const Graph graph = joined({random_graph(120, generator), grid_graph(4, 4), path_graph(3)});
  const auto as_pairs = [](const Layout& layout) {
    std::vector<std::pair<double, double>> pairs;
    for (const Point& p : layout) pairs.emplace_back(p.x, p.y);
    return pairs;
  };
  const auto first = as_pairs(force_directed_layout(graph, 1));
  EXPECT_EQ(first, as_pairs(force_directed_layout(graph, 1)));
  EXPECT_NE(first, as_pairs(force_directed_layout(graph, 2)));
}

TEST(Layout, DoesNotLetComponentsOverlap) {
  Generator generator(6);
  std::vector<Graph> parts{random_graph(200, generator), grid_graph(9, 6), star(12)};
  for (int i = 0; i < 25; ++i) parts.push_back(path_graph(1 + i % 4));
  const Graph graph = joined(parts);
  const ParentMap component = connected_components(graph);
  const Layout layout = force_directed_layout(graph);
  const auto edges = edges_of(graph);
  for (const auto& [a, b] : edges) {
    for (const auto& [c, d] : edges) {
      if (component.parent(a) == component.parent(c)) continue;
      ASSERT_FALSE(cross(layout[a], layout[b], layout[c], layout[d]))
          << a << "-" << b << ", " << c << "-" << d;
    }
  }
  for (NodeId v = 0; v < graph.num_nodes(); ++v) {
    for (NodeId u = 0; u < v; ++u) {
      if (component.parent(u) == component.parent(v)) continue;
      ASSERT_GT(distance(layout[u], layout[v]), 0.4) << u << ", " << v;
    }
  }
}

TEST(Layout, LetsTheLargestComponentFillThePicture) {
  std::vector<Graph> parts{path_graph(2), grid_graph(20, 20)};
  for (int i = 0; i < 10; ++i) parts.push_back(path_graph(2));
  const Layout layout = force_directed_layout(joined(parts));
  const auto [low, high] = bounds_of(layout);
  const auto [largest_low, largest_high] = bounds_of({layout.begin() + 2, layout.begin() + 402});
  EXPECT_GT(std::max(largest_high.x - largest_low.x, largest_high.y - largest_low.y),
            0.8 * std::max(high.x - low.x, high.y - low.y));
}

TEST(QuadTree, SumsOverAllPoints) {
  Generator generator(7);
  Layout points(400);
  for (Point& p : points) p = {generator.uniform(), 3 * generator.uniform()};
  points.push_back(points.front());  // at the same place: does not count
  const QuadTree tree(points);
  double mean_error = 0;
  for (const Point& p : points) {
    Point sum;
    double sizes = 0;
    for (const Point& q : points) {
      const double d = distance(p, q);
      if (d <= 0) continue;
      sum = {sum.x + (p.x - q.x) / (d * d * d), sum.y + (p.y - q.y) / (d * d * d)};
      sizes += 1 / (d * d);
    }
    const double error = distance(tree.repulsion(p), sum) / sizes;
    EXPECT_LT(error, 0.2);
    mean_error += error / static_cast<double>(points.size());
  }
  EXPECT_LT(mean_error, 0.03);
  EXPECT_EQ(QuadTree({}).repulsion({1, 1}).x, 0);
}

int channel(const std::string& colour, int which) {
  return std::stoi(colour.substr(1 + 2 * which, 2), nullptr, 16);
}

double colour_distance(const std::string& a, const std::string& b) {
  double sum = 0;
  for (int c = 0; c < 3; ++c) sum += std::pow(channel(a, c) - channel(b, c), 2);
  return std::sqrt(sum);
}

TEST(NestedColours, AreCloserToTheParentsThanToOthers) {
  const Graph grid = grid_graph(16, 16);
  const Hierarchy hierarchy = build_hierarchy(grid, 5, coarsen_step(Coarsening::kEdgePool, {}));
  const auto colours = nested_colours(hierarchy);
  ASSERT_EQ(colours.size(), 6U);
  for (int l = 0; l < 5; ++l) {
    const ParentMap& parent = hierarchy.parent(l);
    double to_parent = 0;
    double to_any = 0;
    for (NodeId v = 0; v < parent.num_children(); ++v) {
      to_parent += colour_distance(colours[l][v], colours[l + 1][parent.parent(v)]);
      for (const std::string& other : colours[l + 1])
        to_any += colour_distance(colours[l][v], other) / static_cast<double>(parent.num_parents());
    }
    EXPECT_LT(to_parent, 0.25 * to_any) << "level " << l;
  }
}

}  // namespace
}  // namespace hgnet::app
