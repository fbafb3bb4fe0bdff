// Graph::from_csr: checks parts from outside (a cache file, a caller's arrays) against the rules of
// Graph.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "graph/storage.hpp"
#include "graph/weight_sum.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/graph/graph.hpp"

namespace hgnet {
namespace {

[[noreturn]] void fail(NodeId row, const std::string& what) {
  throw InvalidGraph("graph row " + std::to_string(row) + ": " + what);
}

void check_length(const char* what, std::size_t got, std::size_t expected) {
  if (got != expected) {
    throw InvalidGraph("graph: " + std::to_string(got) + " " + what + ", expected " +
                       std::to_string(expected));
  }
}

void check_lengths(const GraphView& parts) {
  if (parts.offsets.empty() || parts.offsets.front() != 0 ||
      parts.offsets.back() != static_cast<EdgeId>(parts.columns.size())) {
    throw InvalidGraph("graph: offsets must run from 0 to the number of slots, " +
                       std::to_string(parts.columns.size()));
  }
  if (parts.offsets.size() > static_cast<std::size_t>(std::numeric_limits<NodeId>::max())) {
    throw InvalidGraph("graph: more nodes than a node id can hold");
  }
  if (parts.edge_row_width < 0) throw InvalidGraph("graph: edge row width is negative");
  if (!parts.weights.empty()) check_length("weights", parts.weights.size(), parts.columns.size());
  if (!parts.outside.empty())
    check_length("weights left outside", parts.outside.size(), parts.offsets.size() - 1);
  check_length("edge row entries", parts.edge_rows.size(),
               parts.columns.size() * static_cast<std::size_t>(parts.edge_row_width));
}

void check_finite(const GraphView& parts) {
  const auto finite = [](float x) { return std::isfinite(x); };
  if (!std::all_of(parts.weights.begin(), parts.weights.end(), finite)) {
    throw InvalidGraph("graph: a weight is not finite");
  }
  check_weight_sum(parts.weights);
  if (!std::all_of(parts.outside.begin(), parts.outside.end(), finite)) {
    throw InvalidGraph("graph: a weight left outside is not finite");
  }
  if (!std::all_of(parts.edge_rows.begin(), parts.edge_rows.end(), finite)) {
    throw InvalidGraph("graph: an edge row has an entry that is not finite");
  }
}

void check_rows_ascend(const GraphView& parts) {
  const auto num_nodes = static_cast<NodeId>(parts.offsets.size() - 1);
  for (NodeId v = 0; v < num_nodes; ++v) {
    if (parts.offsets[v + 1] < parts.offsets[v]) fail(v, "offsets decrease");
    if (parts.offsets[v + 1] > parts.offsets.back()) fail(v, "offsets pass the number of slots");
    NodeId previous = -1;
    for (EdgeId s = parts.offsets[v]; s < parts.offsets[v + 1]; ++s) {
      const NodeId u = parts.columns[s];
      if (u < 0 || u >= num_nodes) {
        fail(v, "neighbour " + std::to_string(u) + " is not a node; expected 0 <= id < " +
                    std::to_string(num_nodes));
      }
      if (u <= previous) fail(v, "neighbours do not ascend at " + std::to_string(u));
      previous = u;
    }
  }
}

/// With ascending rows, the edges into u occur in the order of row u, as in Graph::reverse(): a
/// cursor per row points to a slot of another edge, or past the row, exactly when a direction is
/// missing. Does not call reverse() itself, since that would be kept.
void check_directions_agree(const GraphView& parts) {
  const auto num_nodes = static_cast<NodeId>(parts.offsets.size() - 1);
  const std::int64_t width = parts.edge_row_width;
  std::vector<EdgeId> cursor(parts.offsets.begin(), parts.offsets.end() - 1);
  for (NodeId v = 0; v < num_nodes; ++v) {
    for (EdgeId s = parts.offsets[v]; s < parts.offsets[v + 1]; ++s) {
      const NodeId u = parts.columns[s];
      const EdgeId r = cursor[u]++;
      if (r >= parts.offsets[u + 1] || parts.columns[r] != v) {
        fail(v, "neighbour " + std::to_string(u) + " does not list the node in return");
      }
      if (!parts.weights.empty() && parts.weights[s] != parts.weights[r]) {
        fail(v, "weights of the two directions differ at neighbour " + std::to_string(u));
      }
      for (std::int64_t c = 0; c < width; ++c) {
        if (parts.edge_rows[s * width + c] != parts.edge_rows[r * width + c]) {
          fail(v, "edge rows of the two directions differ at neighbour " + std::to_string(u));
        }
      }
    }
  }
}

void check(const GraphView& parts) {
  check_lengths(parts);
  check_finite(parts);
  check_rows_ascend(parts);
  check_directions_agree(parts);
}

}  // namespace

Graph Graph::from_csr(GraphParts parts) {
  check({parts.offsets, parts.columns, parts.weights, parts.edge_rows, parts.edge_row_width,
         parts.outside});
  return adopt(std::move(parts));
}

Graph Graph::from_csr(const GraphView& view, std::shared_ptr<const void> owner) {
  check(view);
  return Graph(std::make_shared<Storage>(view, std::move(owner)));
}

}  // namespace hgnet
