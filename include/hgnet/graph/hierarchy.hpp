#pragma once

#include <span>
#include <vector>

#include "hgnet/graph/batch.hpp"
#include "hgnet/graph/graph.hpp"
#include "hgnet/graph/parent_map.hpp"

namespace hgnet {

/// One level up: the coarse graph G_{l+1}, and the parent in it of each node of G_l.
struct Level {
  ParentMap parent;
  Graph graph;
};

/// The input graph G_0 and coarser graphs G_1 .. G_L above it.
class Hierarchy {
 public:
  /// No nodes, no coarse levels.
  Hierarchy() : Hierarchy(Graph()) {}
  explicit Hierarchy(Graph input);

  /// Joins several hierarchies of equal depth into one, level by level: see Batch. Throws
  /// InvalidHierarchy, naming the hierarchy, if depths differ.
  static Hierarchy joined(std::span<const Hierarchy* const> parts);

  /// Adds a level on top. Throws InvalidHierarchy, naming the level, unless the map takes the nodes
  /// of the topmost graph onto the nodes of the new one, numbered by their smallest member.
  void add(Level level);

  /// L, the number of coarse levels; G_0 is not counted.
  int num_levels() const { return static_cast<int>(levels_.size()); }
  /// G_l, 0 <= l <= L.
  const Graph& graph(int level) const;
  /// From the nodes of G_l to those of G_{l+1}, 0 <= l < L.
  const ParentMap& parent(int level) const;
  /// From the nodes of G_0 to those of G_l: the composition of the maps in between.
  ParentMap parent_from_input(int level) const;

  /// Throws InvalidHierarchy, naming the level and the edge, unless coarse nodes are adjacent
  /// exactly when some of their members are. Ignores self-loops, since a coarsening may keep or
  /// drop them. Does not hold for top-k levels, whose graph is not a contraction.
  void validate_contractions() const;

 private:
  Graph input_;
  std::vector<Level> levels_;
};

}  // namespace hgnet
