#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "hgnet/core/ids.hpp"
#include "hgnet/graph/csr.hpp"

namespace hgnet {

/// Which coarse node each fine node belongs to (`parent`) and, conversely, which fine nodes make up
/// a coarse node (`members`, ascending). Also used for the graph of a batch that a node is in: the
/// graph is then the parent. A fine node may have no parent (kNoNode): top-k coarsening drops
/// nodes. Immutable, cheap to copy.
class ParentMap {
 public:
  /// No nodes on either side.
  ParentMap();

  /// Throws InvalidHierarchy, naming the node, for a parent outside 0 .. num_parents - 1 other than
  /// kNoNode. O(nodes).
  ParentMap(std::vector<NodeId> parent, NodeId num_parents);

  /// Every node is its own parent.
  static ParentMap identity(NodeId num_nodes);

  /// Nodes in the order of their parents: those of parent p are offsets[p] .. offsets[p + 1] - 1.
  /// Throws InvalidHierarchy unless the offsets rise from 0 to at most what NodeId can hold.
  static ParentMap from_offsets(std::span<const std::int64_t> offsets);

  /// Nodes with equal labels get the same parent, whatever the values; parents are numbered by
  /// their smallest member. A negative label means no parent.
  static ParentMap from_labels(std::span<const NodeId> labels);

  /// Several maps as one: nodes and parents are numbered consecutively from map to map.
  static ParentMap joined(std::span<const ParentMap* const> maps);

  NodeId num_children() const;
  NodeId num_parents() const;

  // The following do not check their arguments.
  NodeId parent(NodeId child) const;
  std::span<const NodeId> parents() const;
  std::span<const NodeId> members(NodeId parent) const;
  /// Row p lists the members of p.
  CsrView members() const;

  /// Whether every node has a parent.
  bool is_total() const;
  /// Whether every parent has a member.
  bool is_onto() const;
  /// Whether parents are numbered by their smallest member, as every coarsening numbers them.
  bool is_ordered() const;

  /// The composition with `coarser`, which maps this map's parents to their parents. Throws
  /// InvalidHierarchy if the sizes do not match.
  ParentMap then(const ParentMap& coarser) const;

 private:
  struct Storage;
  explicit ParentMap(std::shared_ptr<const Storage> storage);

  std::shared_ptr<const Storage> storage_;
};

}  // namespace hgnet
