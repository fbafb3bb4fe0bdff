#pragma once

#include <cstdint>
#include <vector>

#include "hgnet/graph/algorithms.hpp"
#include "hgnet/graph/hierarchy.hpp"

namespace hgnet {

struct LevelMeasures {
  NodeId nodes = 0;
  EdgeId edges = 0;             // undirected, inside the level
  double matched_fraction = 0;  // share of nodes merged with others into a node of the next level
};

struct HierarchyMeasures {
  std::vector<LevelMeasures> levels;  // G_0 first
  std::int64_t total_nodes = 0;
  std::int64_t total_edges = 0;   // inside levels
  std::int64_t parent_edges = 0;  // between a node and its parent
  Bounds longest_path;  // longest shortest path through the hierarchy between two connected nodes
                        // of G_0
  Bounds diameter;      // the same inside G_0 alone; over connected pairs
};

struct MeasureOptions {
  NodeId exact_up_to = 4096;  // up to this many nodes in G_0: search from every node, exact
  int sources = 16;           // beyond that: bounds from this many sources, drawn from the seed
  std::uint64_t seed = 0;
};

/// Let e be the distance from a source s to the farthest node that a breadth-first search reaches.
/// Then there is a path of length e and, since every path may go through s, no path longer than 2 e
/// in s's component. Beyond exact_up_to nodes, `high` is therefore a bound only for the components
/// that contain a source. Sources are drawn from all components in proportion to their size; each
/// component's largest-degree node is tried first.
HierarchyMeasures measure(const Hierarchy& hierarchy, const MeasureOptions& options = {});

}  // namespace hgnet
