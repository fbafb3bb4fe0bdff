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

/// The longest paths are exact unless the searches for one of them visit more than `max_visits`
/// nodes and edges: see longest_shortest_path.
HierarchyMeasures measure(const Hierarchy& hierarchy, std::int64_t max_visits = kMaxVisits);

}  // namespace hgnet
