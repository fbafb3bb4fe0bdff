// The graph sets of the TU Dortmund collection. Nodes, graphs and lines count from 1; edges are
// listed in both directions, some of them twice.

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "data/features.hpp"
#include "data/line_reader.hpp"
#include "data/readers.hpp"

namespace hgnet {
namespace {

constexpr std::int64_t kMaxLabel = 1 << 30;
// Wider than any real one; a stray number must not lead to a model with millions of inputs.
constexpr std::int64_t kMaxLabelWidth = 1 << 20;

std::vector<std::int64_t> read_integers(ByteStream stream, const char* what, std::int64_t low,
                                        std::int64_t high) {
  LineReader reader(std::move(stream));
  std::vector<std::int64_t> values;
  while (reader.next_filled()) {
    values.push_back(reader.integer(what, low, high));
    reader.expect_end("one integer per line");
  }
  return values;
}

/// The first node of each graph, and one past the last. Graphs without nodes may occur anywhere.
std::vector<std::int64_t> read_node_offsets(ByteStream stream, std::int64_t num_graphs) {
  LineReader reader(std::move(stream));
  std::vector<std::int64_t> offsets{0};
  std::int64_t num_nodes = 0;
  while (reader.next_filled()) {
    if (num_graphs == 0) reader.fail("a node, but the file of graph labels is empty");
    const std::int64_t graph = reader.integer("graph", 1, num_graphs);
    reader.expect_end("one graph per line");
    if (graph < static_cast<std::int64_t>(offsets.size()) - 1) {
      reader.fail("graph " + std::to_string(graph) +
                  " again; expected the nodes of a graph to follow each other");
    }
    while (static_cast<std::int64_t>(offsets.size()) <= graph) offsets.push_back(num_nodes);
    offsets.back() = ++num_nodes;
    if (num_nodes > kMaxNodes) reader.fail("more nodes than a node id can hold");
  }
  if (num_nodes == 0 && num_graphs > 0)
    reader.fail("is empty; expected a line per node with its graph");
  offsets.resize(num_graphs + 1, num_nodes);
  return offsets;
}

std::vector<std::int32_t> graph_of_node(const std::vector<std::int64_t>& node_offsets) {
  std::vector<std::int32_t> graphs(node_offsets.back());
  for (std::size_t g = 0; g + 1 < node_offsets.size(); ++g) {
    std::fill(graphs.begin() + node_offsets[g], graphs.begin() + node_offsets[g + 1],
              static_cast<std::int32_t>(g));
  }
  return graphs;
}

/// The edges in the order of the file, with nodes numbered across all graphs.
struct Edges {
  std::vector<std::pair<NodeId, NodeId>> ends;
  std::vector<std::int64_t> count;  // by graph
};

Edges read_edges(ByteStream stream, const std::vector<std::int64_t>& node_offsets,
                 const std::vector<std::int32_t>& graphs) {
  LineReader reader(std::move(stream));
  Edges edges;
  edges.count.resize(node_offsets.size() - 1);
  while (reader.next_filled()) {
    const auto u = static_cast<NodeId>(reader.integer("node", 1, node_offsets.back()) - 1);
    const auto v = static_cast<NodeId>(reader.integer("node", 1, node_offsets.back()) - 1);
    reader.expect_end("two nodes");
    if (graphs[u] != graphs[v]) {
      reader.fail("the nodes are in different graphs, " + std::to_string(graphs[u] + 1) + " and " +
                  std::to_string(graphs[v] + 1));
    }
    edges.ends.emplace_back(u, v);
    ++edges.count[graphs[u]];
  }
  return edges;
}

void expect_rows(const FileSet& files, const std::string& file, std::int64_t got,
                 std::int64_t expected, const char* what) {
  if (got != expected) {
    files.fail(file + " has " + std::to_string(got) + " lines; expected " +
               std::to_string(expected) + ", one per " + what);
  }
}

/// Attributes of each node or edge, one column each.
std::vector<Column> read_attributes(const FileSet& files, const std::string& file,
                                    std::int64_t expected, const char* what,
                                    const std::string& name) {
  LineReader reader(files.open(file));
  std::vector<Column> columns;
  std::int64_t row = 0;
  for (; reader.next_filled(); ++row) {
    if (row == expected) reader.fail("more lines than there are " + std::string(what) + "s");
    const std::vector<std::string_view>& fields = reader.fields();
    for (std::size_t c = 0; row == 0 && c < fields.size(); ++c)
      columns.push_back({{name + " " + std::to_string(c + 1)}});
    if (fields.size() != columns.size()) {
      reader.fail(std::to_string(fields.size()) + " attributes; expected " +
                  std::to_string(columns.size()) + " as on the first line");
    }
    for (std::size_t c = 0; c < fields.size(); ++c)
      columns[c].values.push_back(reader.number_of(fields[c], "attribute"));
  }
  expect_rows(files, file, row, expected, what);
  return columns;
}

/// Labels and attributes of the edges, in the order of their file.
std::vector<Column> read_edge_columns(const FileSet& files, const std::string& prefix,
                                      std::int64_t num_edges, bool use,
                                      std::vector<std::string>& notes) {
  const std::string label_file = prefix + "_edge_labels.txt";
  const std::string attribute_file = prefix + "_edge_attributes.txt";
  const bool has_labels = files.find(label_file).has_value();
  const bool has_attributes = files.find(attribute_file).has_value();
  if (!use) {
    const char* what = has_labels && has_attributes ? "labels and attributes"
                       : has_labels                 ? "labels"
                                                    : "attributes";
    if (has_labels || has_attributes)
      notes.push_back(std::string("ignored: ") + what +
                      " of edges; the setting edge-features = use takes them");
    return {};
  }
  std::vector<Column> columns;
  if (has_attributes)
    columns = read_attributes(files, attribute_file, num_edges, "edge", "edge attribute");
  if (!has_labels) return columns;
  const auto labels = read_integers(files.open(label_file), "edge label", -kMaxLabel, kMaxLabel);
  expect_rows(files, label_file, std::ssize(labels), num_edges, "edge");
  Classes classes = classes_of(labels);
  columns.push_back({{"edge label", ColumnKind::kCategory, std::move(classes.names)},
                     {classes.ids.begin(), classes.ids.end()}});
  return columns;
}

/// Distributes the edges, with their rows, to their graphs by counting.
void build_graphs(const Edges& edges, const std::vector<std::int32_t>& graph_of,
                  const std::vector<Column>& columns, Dataset& dataset) {
  std::vector<std::int64_t> cursor(edges.count.size());
  std::exclusive_scan(edges.count.begin(), edges.count.end(), cursor.begin(), std::int64_t{0});
  std::vector<std::int64_t> dealt(edges.ends.size());
  for (std::size_t i = 0; i < edges.ends.size(); ++i)
    dealt[cursor[graph_of[edges.ends[i].first]]++] = static_cast<std::int64_t>(i);

  const std::vector<std::int64_t>& offsets = dataset.node_offsets;
  EdgeList list;
  list.row_width = std::ssize(columns);
  std::int64_t next = 0;
  std::int64_t differing = 0;
  for (std::size_t g = 0; g < edges.count.size(); ++g) {
    list.source.clear();
    list.target.clear();
    list.rows.clear();
    for (const std::int64_t end = next + edges.count[g]; next < end; ++next) {
      const auto& [source, target] = edges.ends[dealt[next]];
      list.source.push_back(source - offsets[g]);
      list.target.push_back(target - offsets[g]);
      for (const Column& column : columns) list.rows.push_back(column.values[dealt[next]]);
    }
    dataset.graphs.push_back(
        Graph::from_edges(offsets[g + 1] - offsets[g], list, {.self_loops = SelfLoops::kKeep}));
    differing += repeated_otherwise(dataset.graphs.back(), list, Compare::kRows);
  }
  for (const Column& column : columns) dataset.edge_columns.push_back(column);
  if (differing > 0) dataset.notes.push_back(repeated_note(differing, Compare::kRows));
}

/// Columns from the smallest label to the largest, whether all of them occur or not.
SparseMatrix read_node_labels(const FileSet& files, const std::string& file, std::int64_t num_nodes,
                              std::int64_t& first_label) {
  const auto labels = read_integers(files.open(file), "node label", -kMaxLabel, kMaxLabel);
  expect_rows(files, file, std::ssize(labels), num_nodes, "node");
  if (labels.empty()) return {};
  const auto [low, high] = std::minmax_element(labels.begin(), labels.end());
  if (*high - *low >= kMaxLabelWidth) {
    files.fail(file + ": node labels from " + std::to_string(*low) + " to " +
               std::to_string(*high) + "; number them without large gaps");
  }
  std::vector<NodeId> columns;
  columns.reserve(labels.size());
  for (const std::int64_t label : labels) columns.push_back(static_cast<NodeId>(label - *low));
  first_label = *low;
  return one_hot(columns, *high - *low + 1);
}

/// One-hot labels as a column of categories.
Column label_column(const SparseMatrix& labels, std::int64_t first_label) {
  Column column{{"node label", ColumnKind::kCategory}};
  for (std::int64_t c = 0; c < labels.num_columns(); ++c)
    column.categories.push_back(std::to_string(first_label + c));
  for (const NodeId category : labels.csr().columns)
    column.values.push_back(static_cast<float>(category));
  return column;
}

/// Labels; attributes if there are no labels, or both if requested; degrees if there is neither.
void read_features(const FileSet& files, const std::string& prefix, bool node_attributes,
                   Dataset& dataset) {
  const std::string label_file = prefix + "_node_labels.txt";
  const std::string attribute_file = prefix + "_node_attributes.txt";
  const bool has_labels = files.find(label_file).has_value();
  const bool has_attributes = files.find(attribute_file).has_value();
  const std::int64_t num_nodes = dataset.num_nodes();
  if (!has_labels && !has_attributes && !node_attributes) {
    dataset.features = one_hot_degrees(dataset.graphs);
    dataset.columns.kind = kNodeDegrees;
    return;
  }
  std::int64_t first_label = 0;
  SparseMatrix labels = has_labels ? read_node_labels(files, label_file, num_nodes, first_label)
                                   : SparseMatrix(0, std::vector<EdgeId>(num_nodes + 1), {}, {});
  if (has_labels && !node_attributes) {
    dataset.features = std::move(labels);
    dataset.columns = {kNodeLabels, {}, first_label};
    if (has_attributes)
      dataset.notes.push_back(
          "ignored: node attributes, as there are node labels; the setting "
          "node-attributes uses both");
  } else {
    std::vector<Column> columns =
        read_attributes(files, attribute_file, num_nodes, "node", "attribute");
    if (has_labels) columns.push_back(label_column(labels, first_label));
    dataset.features = ColumnRows{std::move(columns)};
    dataset.columns.kind = kNumbers;
  }
}

/// Regression targets, one line per graph. Returns the number of graphs.
std::int64_t read_graph_attributes(ByteStream stream, Dataset& dataset) {
  LineReader reader(std::move(stream));
  dataset.target_kind = TargetKind::kRegression;
  std::int64_t num_graphs = 0;
  for (; reader.next_filled(); ++num_graphs) {
    const std::vector<std::string_view>& fields = reader.fields();
    const auto width = static_cast<std::int64_t>(fields.size());
    if (num_graphs == 0) dataset.num_tasks = width;
    if (width != dataset.num_tasks) {
      reader.fail(std::to_string(width) + " attributes; expected " +
                  std::to_string(dataset.num_tasks) + " as on the first line");
    }
    for (const std::string_view field : fields)
      dataset.targets.push_back(reader.number_of(field, "attribute"));
  }
  return num_graphs;
}

/// Graphs without labels, such as those to predict. Returns the number of graphs.
std::int64_t read_unlabelled(const FileSet& files, const std::string& prefix, Dataset& dataset) {
  const auto graphs =
      read_integers(files.open(prefix + "_graph_indicator.txt"), "graph", 1, kMaxLabel);
  const std::int64_t count = graphs.empty() ? 0 : *std::max_element(graphs.begin(), graphs.end());
  if (count > std::ssize(graphs))
    files.fail("graph " + std::to_string(count) + ", but only " + std::to_string(graphs.size()) +
               " nodes");
  dataset.classes.assign(count, kUnlabelled);
  return count;
}

/// The graphs' classes or, if there are none, their attributes, if any. Returns the number of
/// graphs.
std::int64_t read_targets(const FileSet& files, const std::string& prefix, Dataset& dataset) {
  const std::string label_file = prefix + "_graph_labels.txt";
  const std::string attribute_file = prefix + "_graph_attributes.txt";
  if (!files.find(label_file) && files.find(attribute_file)) {
    return read_graph_attributes(files.open(attribute_file), dataset);
  }
  if (!files.find(label_file)) return read_unlabelled(files, prefix, dataset);
  const auto labels = read_integers(files.open(label_file), "graph label", -kMaxLabel, kMaxLabel);
  Classes classes = classes_of(labels);
  dataset.classes = std::move(classes.ids);
  dataset.class_names = std::move(classes.names);
  return static_cast<std::int64_t>(labels.size());
}

}  // namespace

Dataset read_tu(const FileSet& files, const TuOptions& options) {
  const std::optional<std::string> found = files.find_prefix("_A.txt");
  if (!found) files.fail("has no file NAME_A.txt");
  const std::string& prefix = *found;

  Dataset dataset;
  dataset.name = prefix.substr(prefix.rfind('/') + 1);
  dataset.task = Task::kGraph;
  const std::int64_t num_graphs = read_targets(files, prefix, dataset);
  dataset.node_offsets = read_node_offsets(files.open(prefix + "_graph_indicator.txt"), num_graphs);
  const std::vector<std::int32_t> graph_of = graph_of_node(dataset.node_offsets);
  const Edges edges = read_edges(files.open(prefix + "_A.txt"), dataset.node_offsets, graph_of);
  const std::vector<Column> columns = read_edge_columns(files, prefix, std::ssize(edges.ends),
                                                        options.edge_features, dataset.notes);
  build_graphs(edges, graph_of, columns, dataset);
  read_features(files, prefix, options.node_attributes, dataset);
  const std::string group_file = prefix + "_graph_groups.txt";
  if (files.find(group_file))
    dataset.groups = read_integers(files.open(group_file), "group", 0, kMaxLabel);
  return dataset;
}

}  // namespace hgnet
