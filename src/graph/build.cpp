// Graph::from_edges and from_listed: edges to CSR by counting.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "graph/row_parallel.hpp"
#include "graph/weight_sum.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/graph/graph.hpp"

namespace hgnet {
namespace {

std::string edge_name(std::size_t i, std::int64_t source, std::int64_t target) {
  return "edge " + std::to_string(i) + " (" + std::to_string(source) + " -> " +
         std::to_string(target) + ")";
}

std::string edge_name(const EdgeList& edges, std::size_t i) {
  return edge_name(i, edges.source[i], edges.target[i]);
}

/// Of edge number i.
void check_ends(std::size_t i, std::int64_t source, std::int64_t target, std::int64_t num_nodes) {
  for (const auto& [id, end] : {std::pair(source, "source"), {target, "target"}}) {
    if (id >= 0 && id < num_nodes) continue;
    throw InvalidGraph(edge_name(i, source, target) + ": " + end + " " + std::to_string(id) +
                       (id < 0 ? " is negative" : " is too large") + "; expected 0 <= id < " +
                       std::to_string(num_nodes));
  }
}

void check_node_count(std::int64_t num_nodes) {
  if (num_nodes >= 0 && num_nodes < std::numeric_limits<NodeId>::max()) return;
  throw InvalidGraph("node count " + std::to_string(num_nodes) + " is outside 0 .. " +
                     std::to_string(std::numeric_limits<NodeId>::max() - 1));
}

void check_length(const char* what, std::size_t got, std::size_t expected) {
  if (got == expected) return;
  throw InvalidGraph(std::string("edge list: ") + what + " has " + std::to_string(got) +
                     " entries where the sources have " + std::to_string(expected) +
                     " (the first edge without a counterpart is edge " +
                     std::to_string(std::min(got, expected)) + ")");
}

void check(std::int64_t num_nodes, const EdgeList& edges) {
  check_node_count(num_nodes);
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
    check_ends(i, edges.source[i], edges.target[i], num_nodes);
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

/// Row-wise lists of neighbours and of the list entries that they come from.
struct Rows {
  std::vector<EdgeId> offsets;
  std::vector<NodeId> columns;
  std::vector<std::size_t> entries;
};

/// Both directions of every listed edge; the neighbours of a row are in the order of the list.
Rows rows_in_list_order(std::int64_t num_nodes, const EdgeList& edges, SelfLoops self_loops) {
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
  rows.entries.resize(rows.offsets.back());
  std::vector<EdgeId> cursor(rows.offsets.begin(), rows.offsets.end() - 1);
  for_each_direction([&](NodeId u, NodeId v, std::size_t i) {
    const EdgeId slot = cursor[u]++;
    rows.columns[slot] = v;
    rows.entries[slot] = i;
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
      sorted.entries[slot] = rows.entries[s];
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

/// The first pass counts, the second fills each row from its end, so that its end becomes its
/// beginning and no further cursor is needed.
template <class List>
void fill_rows(std::int64_t num_nodes, const List& list_edges, SelfLoops self_loops,
               GraphParts& parts) {
  std::vector<EdgeId>& offsets = parts.offsets;
  std::size_t count = 0;
  const auto for_each_direction = [&](const auto& visit) {
    count = 0;
    list_edges([&](std::int64_t source, std::int64_t target) {
      check_ends(count++, source, target, num_nodes);
      if (source == target && self_loops == SelfLoops::kRemove) return;
      visit(source, target);
      if (source != target) visit(target, source);
    });
  };
  offsets.assign(num_nodes + 1, 0);
  for_each_direction([&](std::int64_t v, std::int64_t) { ++offsets[v]; });
  const std::size_t first_count = count;
  for (std::int64_t v = 0; v < num_nodes; ++v) offsets[v + 1] += offsets[v];
  parts.columns.resize(offsets.back());
  const auto differs = [] { throw InvalidGraph("edge list: it changed while it was read"); };
  for_each_direction([&](std::int64_t v, std::int64_t u) {
    if (offsets[v] == 0) differs();
    parts.columns[--offsets[v]] = static_cast<NodeId>(u);
  });
  if (count != first_count || offsets.front() != 0) differs();
}

/// Sorts every row and drops repeated neighbours.
void settle_rows(GraphParts& parts, int threads) {
  std::vector<EdgeId>& offsets = parts.offsets;
  std::vector<NodeId>& columns = parts.columns;
  const CsrView csr{offsets, columns, 0};
  for_row_ranges(csr, 8, threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v)
      std::sort(columns.begin() + offsets[v], columns.begin() + offsets[v + 1]);
  });
  EdgeId write = 0;
  EdgeId begin = 0;
  for (std::size_t v = 0; v + 1 < offsets.size(); ++v) {
    const EdgeId end = offsets[v + 1];
    const EdgeId first = write;
    for (EdgeId s = begin; s < end; ++s) {
      if (write == first || columns[write - 1] != columns[s]) columns[write++] = columns[s];
    }
    begin = end;
    offsets[v + 1] = write;
  }
  columns.resize(write);
  // A copy to save little would need the memory of both.
  if (columns.capacity() - columns.size() > columns.size() / 8) columns.shrink_to_fit();
}

/// list_edges(sink) calls sink(source, target) for every edge.
template <class List>
GraphParts listed_rows(std::int64_t num_nodes, const List& list_edges, SelfLoops self_loops,
                       int threads) {
  GraphParts parts;
  fill_rows(num_nodes, list_edges, self_loops, parts);
  settle_rows(parts, threads);
  return parts;
}

}  // namespace

Graph Graph::from_edges(std::int64_t num_nodes, const EdgeList& edges, GraphOptions options) {
  check(num_nodes, edges);
  if (edges.weight.empty() && edges.rows.empty()) {
    const auto list = [&](const auto& sink) {
      for (std::size_t i = 0; i < edges.source.size(); ++i) sink(edges.source[i], edges.target[i]);
    };
    GraphParts parts = listed_rows(num_nodes, list, options.self_loops, 1);
    parts.edge_row_width = edges.row_width;
    return adopt(std::move(parts));
  }
  Rows rows = sorted_rows(rows_in_list_order(num_nodes, edges, options.self_loops));

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
      const std::span<const std::size_t> run(rows.entries.data() + s, run_end - s);
      if (!edges.weight.empty()) {
        parts.weights.push_back(merged(options.merge, edges.weight, 1, 0, run));
      }
      for (std::int64_t c = 0; c < edges.row_width; ++c) {
        parts.edge_rows.push_back(merged(options.merge, edges.rows, edges.row_width, c, run));
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

Graph Graph::from_listed(std::int64_t num_nodes,
                         const std::function<void(const EdgeSink&)>& list_edges,
                         SelfLoops self_loops, int threads) {
  check_node_count(num_nodes);
  return adopt(listed_rows(num_nodes, list_edges, self_loops, threads));
}

}  // namespace hgnet
