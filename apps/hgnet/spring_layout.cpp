#include "spring_layout.hpp"

#include <algorithm>
#include <cmath>

#include "hgnet/coarsening/methods.hpp"
#include "hgnet/core/random.hpp"
#include "quad_tree.hpp"

namespace hgnet::app {
namespace {

constexpr double kRepulsion = 0.2;  // C
/// K shrinks by this share from a level to the next finer one, which has about twice the nodes.
constexpr double kFiner = 0.75;
constexpr NodeId kCoarsest = 4;
constexpr double kLeastMatched = 0.1;

/// The steps of a level: as long as `first` times K, shorter by `cooling` each time, until `last`.
struct Schedule {
  double first;
  double last;
  double cooling;
};
constexpr Schedule kFromRandom{2, 0.002, 0.97};
constexpr Schedule kFromParents{0.4, 0.01, 0.94};

/// What pulls at a node: its neighbours, and all other nodes away from it.
Point force_on(const Graph& graph, const Layout& at, const QuadTree& tree, NodeId v, double k) {
  const Point away = tree.repulsion(at[v]);
  const double strength = kRepulsion * k * k * k;
  Point force{strength * away.x, strength * away.y};
  for (const NodeId u : graph.neighbours(v)) {
    const double x = at[u].x - at[v].x;
    const double y = at[u].y - at[v].y;
    const double distance = std::hypot(x, y);
    force.x += x * distance / k;
    force.y += y * distance / k;
  }
  return force;
}

/// Moves every node along its force, all by the same length.
void relax(const Graph& graph, Layout& at, double k, const Schedule& schedule) {
  for (double step = schedule.first; step > schedule.last; step *= schedule.cooling) {
    const QuadTree tree(at);
    for (NodeId v = 0; v < graph.num_nodes(); ++v) {
      const Point force = force_on(graph, at, tree, v, k);
      const double size = std::hypot(force.x, force.y);
      if (size <= 0) continue;
      const double length = std::min(step * k, size);
      at[v].x += length * force.x / size;
      at[v].y += length * force.y / size;
    }
  }
}

Layout random_places(NodeId count, Generator& generator) {
  Layout places(count);
  for (Point& p : places) p = {generator.uniform(), generator.uniform()};
  return places;
}

/// Each node halfway between its parent and the mean of its neighbours' parents, and a little
/// aside, so that no two nodes are at the same place.
Layout refined(const Layout& coarse, const ParentMap& parent, const Graph& fine, double k,
               Generator& generator) {
  Layout places(fine.num_nodes());
  for (NodeId v = 0; v < fine.num_nodes(); ++v) {
    const Point own = coarse[parent.parent(v)];
    Point mean;
    for (const NodeId u : fine.neighbours(v)) {
      const Point p = coarse[parent.parent(u)];
      mean = {mean.x + p.x, mean.y + p.y};
    }
    const auto degree = static_cast<double>(std::max<EdgeId>(1, fine.degree(v)));
    places[v] = {(own.x + mean.x / degree) / 2 + 0.1 * k * (generator.uniform() - 0.5),
                 (own.y + mean.y / degree) / 2 + 0.1 * k * (generator.uniform() - 0.5)};
  }
  return places;
}

/// Matchings of edges, and communities where a matching leaves almost all nodes, as around hubs.
Hierarchy levels_of(const Graph& graph, std::uint64_t seed) {
  const CoarsenOptions options{.seed = seed};
  const CoarsenStep matching = coarsen_step(Coarsening::kHeavyEdge, options);
  const CoarsenStep communities = coarsen_step(Coarsening::kLouvain, options);
  const auto step = [&](const Graph& fine, int level) {
    Level matched = matching(fine, level);
    if (fine.num_nodes() <= kCoarsest) return Level{ParentMap::identity(fine.num_nodes()), fine};
    const bool shrinks = matched.graph.num_nodes() < (1 - kLeastMatched) * fine.num_nodes();
    return shrinks ? matched : communities(fine, level);
  };
  return build_hierarchy(graph, kFullDepth, step);
}

/// Without weights, which have no part in the picture and may be negative.
Graph unweighted(const Graph& graph) {
  return Graph::adopt({graph.parts().offsets, graph.parts().columns, {}, {}, 0});
}

}  // namespace

Layout spring_layout(const Graph& graph, std::uint64_t seed) {
  Generator generator(seed);
  const Hierarchy levels = levels_of(unweighted(graph), seed);
  const int top = levels.num_levels();
  double k = 1;
  Layout places = random_places(levels.graph(top).num_nodes(), generator);
  relax(levels.graph(top), places, k, kFromRandom);
  for (int l = top - 1; l >= 0; --l) {
    k *= kFiner;
    places = refined(places, levels.parent(l), levels.graph(l), k, generator);
    relax(levels.graph(l), places, k, kFromParents);
  }
  for (Point& p : places) p = {p.x / k, p.y / k};
  return places;
}

}  // namespace hgnet::app
