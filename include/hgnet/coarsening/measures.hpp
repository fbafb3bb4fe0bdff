#pragma once

#include <cstdint>
#include <vector>

#include "hgnet/graph/algorithms.hpp"
#include "hgnet/graph/hierarchy.hpp"

namespace hgnet {

struct LevelMeasures {
  NodeId nodes = 0;
  EdgeId edges = 0;  // undirected, inside the level
  double matched_fraction =
      0;  // of the nodes: those merged with others into a node of the next level
};

struct HierarchyMeasures {
  std::vector<LevelMeasures> levels;  // G_0 first
  std::int64_t total_nodes = 0;
  std::int64_t total_edges = 0;   // inside levels
  std::int64_t parent_edges = 0;  // between a node and its parent
  Bounds longest_path;  // longest shortest path between two connected nodes of G_0 through the
                        // hierarchy
  Bounds diameter;      // the same inside G_0 alone; over connected pairs
};

struct MeasureOptions {
  NodeId exact_up_to = 4096;  // nodes of G_0: up to here from every node, exact
  int sources = 16;           // beyond: bounds from this many sources, drawn by the seed
  std::uint64_t seed = 0;
};

/// Breadth-first searches from a source s give, with e the distance to the farthest node reached, a
/// path of length e and, since every path may go through s, none longer than 2 e in s's component.
/// Beyond exact_up_to nodes `high` is therefore a bound for the components that a source fell into,
/// all of which are drawn from by size; each component's largest-degree node is tried first.
HierarchyMeasures measure(const Hierarchy& hierarchy, const MeasureOptions& options = {});

}  // namespace hgnet
