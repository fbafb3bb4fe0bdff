#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "hgnet/core/enum_names.hpp"
#include "hgnet/core/ids.hpp"
#include "hgnet/graph/csr.hpp"
#include "hgnet/graph/normalisation.hpp"

namespace hgnet {

/// Undirected edges as they come from a file or a generator. An edge may be listed in one
/// direction, in both, or several times.
struct EdgeList {
  std::vector<std::int64_t> source;
  std::vector<std::int64_t> target;
  std::vector<float> weight;  // empty: the graph has no weights
  std::vector<float> rows;    // edge features, row-major; empty: none
  std::int64_t row_width = 0;
};

enum class SelfLoops { kRemove, kKeep };

template <>
struct EnumNames<SelfLoops> {
  static constexpr const char* what = "treatment of self-loops";
  static constexpr std::array<std::pair<SelfLoops, const char*>, 2> values{
      {{SelfLoops::kRemove, "remove"}, {SelfLoops::kKeep, "keep"}}};
};

/// How the weights and rows of an edge that is listed more than once are combined. Both directions
/// count: listing both doubles the weight under kSum.
enum class Merge { kFirst, kSum, kMean, kMax };

struct GraphOptions {
  SelfLoops self_loops = SelfLoops::kRemove;
  Merge merge = Merge::kFirst;
};

/// The data of a graph; see Graph for the rules they must follow.
struct GraphParts {
  std::vector<EdgeId> offsets{0};
  std::vector<NodeId> columns;
  std::vector<float> weights;    // by slot, or empty
  std::vector<float> edge_rows;  // by slot, row-major, or empty
  std::int64_t edge_row_width = 0;
  std::vector<float> outside = {};  // by node, or empty: see Graph::outside
};

/// The same in memory that someone else owns.
struct GraphView {
  std::span<const EdgeId> offsets;
  std::span<const NodeId> columns;
  std::span<const float> weights = {};
  std::span<const float> edge_rows = {};
  std::int64_t edge_row_width = 0;
  std::span<const float> outside = {};
};

/// Takes one edge of a list after the other.
using EdgeSink = std::function<void(std::int64_t source, std::int64_t target)>;

/// An undirected graph: immutable, cheap to copy (copies share one storage).
///
/// CSR with both directions of every edge stored: row v lists the neighbours of v, ascending, each
/// once. Slot s of row v with neighbour u stands for the directed edge u -> v, so "the edges into
/// v" are the slots of row v. The edge's id as the definition numbers edges, its position in the
/// order (source, target), is reverse()[s]. A self-loop takes one slot. Weights and edge rows are
/// the same for both directions; weights are finite, and so is the sum of their magnitudes.
///
/// Anything that depends on the graph alone (reverse slots, GCN normalisation) is computed on first
/// use and kept with it.
class Graph {
 public:
  /// No nodes, no edges.
  Graph();

  /// Throws InvalidGraph, naming the edge, for ids outside 0 .. num_nodes - 1, lists of unequal
  /// length, weights that are not finite or whose magnitudes sum to more than a float holds, and
  /// more nodes than NodeId holds. O(nodes + edges).
  static Graph from_edges(std::int64_t num_nodes, const EdgeList& edges, GraphOptions options = {});

  /// The same for edges that are listed by a function, without weights and rows. It is called twice
  /// and must list the same edges both times. Needs no more memory than the graph and its repeated
  /// edges.
  static Graph from_listed(std::int64_t num_nodes,
                           const std::function<void(const EdgeSink&)>& list_edges,
                           SelfLoops self_loops = SelfLoops::kRemove, int threads = 1);

  /// Throws InvalidGraph, naming the row, unless the parts follow the rules above. O(nodes +
  /// edges).
  static Graph from_csr(GraphParts parts);
  /// The same without a copy: `owner` keeps the memory.
  static Graph from_csr(const GraphView& view, std::shared_ptr<const void> owner);

  /// Takes the parts unchecked, for code that constructs them correctly.
  static Graph adopt(GraphParts parts);

  /// The same for all copies of a graph; differs between separately built graphs while they exist.
  const void* identity() const { return storage_.get(); }

  /// A copy of the data.
  GraphParts parts() const;
  NodeId num_nodes() const;
  /// Directed edges, that is slots.
  EdgeId num_edges() const;
  EdgeId num_self_loops() const;
  /// Undirected edges, self-loops included.
  EdgeId num_undirected_edges() const { return (num_edges() + num_self_loops()) / 2; }

  CsrView csr() const;
  std::span<const EdgeId> offsets() const { return csr().offsets; }
  std::span<const NodeId> columns() const { return csr().columns; }
  // The following do not check that their arguments are nodes of the graph.
  std::span<const NodeId> neighbours(NodeId node) const;
  /// Number of slots of the node's row: a self-loop counts once.
  EdgeId degree(NodeId node) const;
  bool has_edge(NodeId source, NodeId target) const;

  bool has_weights() const { return !weights().empty(); }
  /// By slot; empty if the graph has none, in which case every weight is 1.
  std::span<const float> weights() const;
  /// By slot, row-major; empty if the graph has none.
  std::span<const float> edge_rows() const;
  std::int64_t edge_row_width() const;

  /// Of a graph that was cut from a larger one (SubgraphCutter): by node, the weight of the edges
  /// into it that were left out. GCN's normalisation counts them, so that it is that of the larger
  /// graph. Empty: none.
  std::span<const float> outside() const;

  /// The slot of v -> u for the slot of u -> v. Kept.
  std::span<const EdgeId> reverse() const;
  /// See GcnNormalisation. Kept. Throws as check_degrees does.
  const GcnNormalisation& gcn_normalisation(SelfLoopFill fill) const;

 private:
  friend class Batch;
  struct Storage;
  explicit Graph(std::shared_ptr<const Storage> storage);

  std::shared_ptr<const Storage> storage_;
};

}  // namespace hgnet
