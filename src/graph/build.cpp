// Graph::from_edges: edge list to CSR by counting; O(nodes + edges), no comparison sort.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "graph/weight_sum.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/graph/graph.hpp"

namespace hgnet {
namespace {

std::string edge_name(const EdgeList& edges, std::size_t i) {
  return "edge " + std::to_string(i) + " (" + std::to_string(edges.source[i]) + " -> " +
         std::to_string(edges.target[i]) + ")";
}

void check_id(const EdgeList& edges, std::size_t i, std::int64_t id, const char* end,
              std::int64_t num_nodes) {
  if (id >= 0 && id < num_nodes) return;
  throw InvalidGraph(edge_name(edges, i) + ": " + end + " " + std::to_string(id) +
                     (id < 0 ? " is negative" : " is too large") + "; expected 0 <= id < " +
                     std::to_string(num_nodes));
}

void check_length(const char* what, std::size_t got, std::size_t expected) {
  if (got == expected) return;
  throw InvalidGraph(std::string("edge list: ") + what + " has " + std::to_string(got) +
                     " entries where the sources have " + std::to_string(expected) +
                     " (the first edge without a counterpart is edge " +
                     std::to_string(std::min(got, expected)) + ")");
}

void check(std::int64_t num_nodes, const EdgeList& edges) {
  if (num_nodes < 0 || num_nodes >= std::numeric_limits<NodeId>::max()) {
    throw InvalidGraph("node count " + std::to_string(num_nodes) + " is outside 0 .. " +
                       std::to_string(std::numeric_limits<NodeId>::max() - 1));
  }
  const std::size_t count = edges.source.size();
  check_length("the list of targets", edges.target.size(), count);
  if (!edges.weight.empty()) check_length("the list of weights", edges.weight.size(), count);
  if (edges.row_width < 0) {
    throw InvalidGraph("edge list: row width " + std::to_string(edges.row_width) + " is negative");
  }
  const auto width = static_cast<std::size_t>(edges.row_width);
  if (width == 0 ? !edges.rows.empty() : edges.rows.size() % width != 0) {
    throw InvalidGraph("edge list: " + std::to_string(edges.rows.size()) +
                       " edge row entries do not make rows of width " + std::to_string(width));
  }
  if (width > 0) check_length("the list of edge rows", edges.rows.size() / width, count);
  for (std::size_t i = 0; i < count; ++i) {
    check_id(edges, i, edges.source[i], "source", num_nodes);
    check_id(edges, i, edges.target[i], "target", num_nodes);
  }
  for (std::size_t i = 0; i < edges.weight.size(); ++i) {
    if (!std::isfinite(edges.weight[i])) {
      throw InvalidGraph(edge_name(edges, i) + ": weight is not finite");
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t c = 0; c < width; ++c) {
      if (std::isfinite(edges.rows[i * width + c])) continue;
      throw InvalidGraph(edge_name(edges, i) + ": its row has an entry that is not finite");
    }
  }
}

/// Row-wise lists of neighbours and, if requested, of the list entries that they come from.
struct Rows {
  std::vector<EdgeId> offsets;
  std::vector<NodeId> columns;
  std::vector<std::size_t> entries;
};

/// Both directions of every listed edge; the neighbours of a row are in the order of the list.
Rows rows_in_list_order(std::int64_t num_nodes, const EdgeList& edges, SelfLoops self_loops,
                        bool with_entries) {
  Rows rows;
  rows.offsets.assign(num_nodes + 1, 0);
  const auto for_each_direction = [&](auto&& visit) {
    for (std::size_t i = 0; i < edges.source.size(); ++i) {
      const auto u = static_cast<NodeId>(edges.source[i]);
      const auto v = static_cast<NodeId>(edges.target[i]);
      if (u == v && self_loops == SelfLoops::kRemove) continue;
      visit(u, v, i);
      if (u != v) visit(v, u, i);
    }
  };
  for_each_direction([&](NodeId u, NodeId, std::size_t) { ++rows.offsets[u + 1]; });
  for (std::int64_t v = 0; v < num_nodes; ++v) rows.offsets[v + 1] += rows.offsets[v];
  rows.columns.resize(rows.offsets.back());
  if (with_entries) rows.entries.resize(rows.offsets.back());
  std::vector<EdgeId> cursor(rows.offsets.begin(), rows.offsets.end() - 1);
  for_each_direction([&](NodeId u, NodeId v, std::size_t i) {
    const EdgeId slot = cursor[u]++;
    rows.columns[slot] = v;
    if (with_entries) rows.entries[slot] = i;
  });
  return rows;
}

/// The transpose. Its rows ascend because the given rows are visited in order. The structure is
/// symmetric, so this is the same matrix with its rows sorted, stably.
Rows sorted_rows(const Rows& rows) {
  Rows sorted{rows.offsets, std::vector<NodeId>(rows.columns.size()),
              std::vector<std::size_t>(rows.entries.size())};
  std::vector<EdgeId> cursor(rows.offsets.begin(), rows.offsets.end() - 1);
  for (std::size_t v = 0; v + 1 < rows.offsets.size(); ++v) {
    for (EdgeId s = rows.offsets[v]; s < rows.offsets[v + 1]; ++s) {
      const EdgeId slot = cursor[rows.columns[s]]++;
      sorted.columns[slot] = static_cast<NodeId>(v);
      if (!rows.entries.empty()) sorted.entries[slot] = rows.entries[s];
    }
  }
  return sorted;
}

float merged(Merge merge, const std::vector<float>& values, std::int64_t width, std::int64_t column,
             std::span<const std::size_t> entries) {
  const auto value = [&](std::size_t entry) { return values[entry * width + column]; };
  float result = value(entries.front());
  if (merge == Merge::kFirst) return result;
  for (const std::size_t entry : entries.subspan(1)) {
    result = merge == Merge::kMax ? std::max(result, value(entry)) : result + value(entry);
  }
  return merge == Merge::kMean ? result / static_cast<float>(entries.size()) : result;
}

}  // namespace

Graph Graph::from_edges(std::int64_t num_nodes, const EdgeList& edges, GraphOptions options) {
  check(num_nodes, edges);
  const bool with_entries = !edges.weight.empty() || !edges.rows.empty();
  Rows rows = sorted_rows(rows_in_list_order(num_nodes, edges, options.self_loops, with_entries));

  // Removes repeated neighbours in place: the write position never passes the read position.
  GraphParts parts;
  parts.edge_row_width = edges.row_width;
  EdgeId write = 0;
  EdgeId begin = 0;
  for (std::int64_t v = 0; v < num_nodes; ++v) {
    const EdgeId end = rows.offsets[v + 1];
    for (EdgeId s = begin; s < end;) {
      EdgeId run_end = s + 1;
      while (run_end < end && rows.columns[run_end] == rows.columns[s]) ++run_end;
      rows.columns[write++] = rows.columns[s];
      if (with_entries) {
        const std::span<const std::size_t> run(rows.entries.data() + s, run_end - s);
        if (!edges.weight.empty()) {
          parts.weights.push_back(merged(options.merge, edges.weight, 1, 0, run));
        }
        for (std::int64_t c = 0; c < edges.row_width; ++c) {
          parts.edge_rows.push_back(merged(options.merge, edges.rows, edges.row_width, c, run));
        }
      }
      s = run_end;
    }
    begin = end;
    rows.offsets[v + 1] = write;
  }
  check_weight_sum(parts.weights);
  rows.columns.resize(write);
  rows.columns.shrink_to_fit();
  parts.offsets = std::move(rows.offsets);
  parts.columns = std::move(rows.columns);
  return adopt(std::move(parts));
}

}  // namespace hgnet
