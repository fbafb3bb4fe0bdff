// Graphs with features, labels and splits from tables of nodes, edges and graphs.

#include "data/table_dataset.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <functional>
#include <limits>
#include <numeric>
#include <set>
#include <unordered_map>
#include <utility>

#include "data/features.hpp"
#include "data/table_targets.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/core/text.hpp"

namespace hgnet {
namespace {

using Roles = std::set<const TextColumn*>;

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>()(text);
  }
};
template <class T>
using ByName = std::unordered_map<std::string, T, TextHash, std::equal_to<>>;

/// Rows of a table by what they are called. The names stay in the table: a place takes four bytes.
class RowIndex {
 public:
  RowIndex() = default;
  explicit RowIndex(std::size_t rows) : places_(std::bit_ceil(2 * rows + 1), kNone) {}

  bool empty() const { return places_.empty(); }
  /// The row with this hash for which same(row); none: `other`, which is then put there.
  template <class Same>
  std::uint32_t find_or_add(std::size_t hash, std::uint32_t other, const Same& same) {
    std::uint32_t& place = places_[place_of(hash, same)];
    if (place == kNone) place = other;
    return place;
  }
  /// The same; none: kNone.
  template <class Same>
  std::uint32_t find(std::size_t hash, const Same& same) const {
    return places_[place_of(hash, same)];
  }

  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

 private:
  template <class Same>
  std::size_t place_of(std::size_t hash, const Same& same) const {
    const std::size_t mask = places_.size() - 1;
    std::size_t place = hash & mask;
    while (places_[place] != kNone && !same(places_[place])) place = (place + 1) & mask;
    return place;
  }

  std::vector<std::uint32_t> places_;
};

std::vector<std::string> listed(const std::string& names) {
  std::vector<std::string> result;
  for (std::size_t begin = 0; begin <= names.size() && !names.empty();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    if (end > begin) result.push_back(names.substr(begin, end - begin));
    begin = end + 1;
  }
  return result;
}

std::string names_of_columns(const TextTable& table) {
  std::string names;
  for (const TextColumn& column : table.columns)
    names += (names.empty() ? "" : ", ") + column.name();
  return names;
}

/// Makes one data set.
class TableDataset {
 public:
  TableDataset(GraphTables tables, const LoadOptions& options)
      : tables_(std::move(tables)), options_(options) {}

  Dataset make() {
    dataset_.notes = tables_.notes;
    find_columns();
    number_graphs();
    number_nodes();
    read_labels();
    read_features();
    if (graph_task() && are_plain(dataset_.sample_names)) dataset_.sample_names = {};
    keep_only_ids();
    read_edges();
    if (!std::holds_alternative<ColumnRows>(dataset_.features)) {
      dataset_.features = one_hot_degrees(dataset_.graphs);
      dataset_.columns.kind = kNodeDegrees;
    }
    return std::move(dataset_);
  }

 private:
  const TextTable& nodes() const { return tables_.nodes; }
  const TextTable& edges() const { return tables_.edges; }
  bool graph_task() const { return dataset_.task == Task::kGraph; }

  /// The columns of labels that are there.
  std::vector<const TextColumn*> labels_in(const TextTable& table) const {
    std::vector<const TextColumn*> found;
    const std::vector<std::string> names = listed(options_.label_column);
    for (const std::string& name : names.empty() ? std::vector<std::string>{"label"} : names) {
      if (const TextColumn* column = table.find(name)) found.push_back(column);
    }
    return found;
  }

  void find_columns() {
    if (nodes().columns.empty()) nodes().fail("no nodes");
    id_ = &nodes().require("id");
    if (nodes().num_rows() == 0)
      nodes().fail("no nodes; expected a line per node below the header line");
    graph_of_node_ = nodes().find("graph");
    if (tables_.graphs && graph_of_node_ == nullptr) nodes().require("graph");
    const bool by_graphs =
        tables_.graphs || (graph_of_node_ != nullptr && labels_in(nodes()).empty());
    dataset_.task = by_graphs ? Task::kGraph : Task::kNode;
  }

  /// Graphs in the order of their table, or else of their first node.
  void number_graphs() {
    if (tables_.graphs) {
      const TextTable& graphs = *tables_.graphs;
      const TextColumn* named = graphs.find("graph");
      graph_ids_ = named != nullptr ? named : &graphs.require("id");
      for (std::size_t row = 0; row < graphs.num_rows(); ++row) {
        const std::string name = name_in(graphs, *graph_ids_, row);
        if (!graph_number_.emplace(name, graph_names_.size()).second)
          graphs.fail(row,
                      "column '" + graph_ids_->name() + "': " + in_quotes(name) + " occurs twice");
        graph_names_.push_back(name);
      }
    }
    for (std::size_t row = 0; row < nodes().num_rows(); ++row) {
      if (graph_of_node_ == nullptr) {
        break;  // all in one
      }
      const auto found = graph_number_.find((*graph_of_node_)[row]);
      if (found != graph_number_.end()) {
        graph_of_row_.push_back(found->second);
        continue;
      }
      if (tables_.graphs) fail_graph(nodes(), *graph_of_node_, row);
      graph_of_row_.push_back(graph_names_.size());
      graph_number_.emplace(name_in(nodes(), *graph_of_node_, row), graph_names_.size());
      graph_names_.push_back(std::string((*graph_of_node_)[row]));
    }
    if (graph_of_node_ == nullptr) graph_names_ = {""};
  }

  [[noreturn]] static void fail_graph(const TextTable& table, const TextColumn& column,
                                      std::size_t row) {
    table.fail(row, "column '" + column.name() + "': no graph " + in_quotes(column[row]));
  }

  /// Whether names are the numbers from 0, which is what samples without names are called.
  template <class Names>
  static bool are_plain(const Names& names) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] != std::to_string(i)) return false;
    }
    return true;
  }

  /// Edges need no more of the nodes' text, and no ids that are the numbers of their rows.
  void keep_only_ids() {
    for (TextColumn& column : tables_.nodes.columns) {
      if (&column != id_ || plain_ids()) column.clear();
    }
    if (graph_of_node_ == nullptr) node_of_row_ = {};
  }

  std::size_t graph_of(std::size_t row) const {
    return graph_of_row_.empty() ? 0 : graph_of_row_[row];
  }
  std::size_t node_of(std::size_t row) const {
    return node_of_row_.empty() ? row : node_of_row_[row];
  }

  // A node is found by its graph and its id, or, where edges do not name their graph, by its id
  // alone. Ids that are the numbers from 0 say themselves which row they are: at a million nodes
  // their text and index would take a sixth of what reading takes.

  bool plain_ids() const { return node_number_.empty(); }
  std::uint32_t row_of_number(std::string_view id) const {
    std::uint32_t row = 0;
    const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), row);
    const bool canonical = error == std::errc() && end == id.data() + id.size() &&
                           (id.front() != '0' || id.size() == 1);
    return canonical && row < dataset_.num_nodes() ? row : RowIndex::kNone;
  }

  static std::size_t hash_of(std::size_t graph, std::string_view id) {
    return std::hash<std::string_view>()(id) + graph * 0x9e3779b97f4a7c15U;
  }
  auto same_as(std::size_t graph, std::string_view id) const {
    return [this, graph, id](std::uint32_t row) {
      return graph_of(row) == graph && (*id_)[row] == id;
    };
  }
  auto same_as(std::string_view id) const {
    return [this, id](std::uint32_t row) { return (*id_)[row] == id; };
  }

  /// Nodes graph by graph, in the order of the rows.
  void number_nodes() {
    std::vector<std::int64_t>& offsets = dataset_.node_offsets;
    offsets.assign(graph_names_.size() + 1, 0);
    for (std::size_t row = 0; row < nodes().num_rows(); ++row) ++offsets[graph_of(row) + 1];
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    std::vector<std::int64_t> cursor(offsets.begin(), offsets.end() - 1);
    node_of_row_.resize(nodes().num_rows());
    if (nodes().num_rows() >= RowIndex::kNone) nodes().fail("more nodes than a node id can hold");
    if (graph_of_node_ == nullptr && are_plain(*id_)) {
      std::iota(node_of_row_.begin(), node_of_row_.end(), 0);
      return;
    }
    const bool named = !graph_task();
    std::vector<std::string> names(named ? nodes().num_rows() : 0);
    node_number_ = RowIndex(nodes().num_rows());
    for (std::size_t row = 0; row < node_of_row_.size(); ++row) {
      node_of_row_[row] = static_cast<std::uint32_t>(cursor[graph_of(row)]++);
      const std::string id = name_in(nodes(), *id_, row);
      const auto number = static_cast<std::uint32_t>(row);
      if (node_number_.find_or_add(hash_of(graph_of(row), id), number,
                                   same_as(graph_of(row), id)) != number)
        nodes().fail(row, "column '" + id_->name() + "': " + in_quotes(id) + " occurs twice" +
                              (graph_of_node_ != nullptr ? " in a graph" : ""));
      if (!named) continue;
      names[node_of_row_[row]] =
          graph_of_node_ == nullptr ? id : graph_names_[graph_of(row)] + "/" + id;
    }
    dataset_.sample_names = graph_task() ? graph_names_ : std::move(names);
  }

  /// Where edges do not name their graph, ids must not occur in two.
  void index_by_id() {
    node_by_id_ = RowIndex(nodes().num_rows());
    for (std::size_t row = 0; row < nodes().num_rows(); ++row) {
      const auto number = static_cast<std::uint32_t>(row);
      const std::string_view id = (*id_)[row];
      if (node_by_id_.find_or_add(hash_of(0, id), number, same_as(id)) != number)
        nodes().fail(row, "column '" + id_->name() + "': " + in_quotes((*id_)[row]) +
                              " occurs in two graphs; then edges need a column 'graph', too");
    }
  }

  std::size_t end_of(const TextColumn& column, const TextColumn* graph, std::size_t row) const {
    std::size_t number = 0;
    if (graph != nullptr) {
      const auto found = graph_number_.find((*graph)[row]);
      if (found == graph_number_.end()) fail_graph(edges(), *graph, row);
      number = found->second;
    }
    const std::uint32_t found = row_of(number, column[row]);
    if (found != RowIndex::kNone) return node_of(found);
    edges().fail(row,
                 no_node(column.name(), column[row]) + (graph != nullptr ? " of that graph" : ""));
  }

  std::uint32_t row_of(std::size_t graph, std::string_view id) const {
    if (plain_ids()) return row_of_number(id);
    return node_by_id_.empty() ? node_number_.find(hash_of(graph, id), same_as(graph, id))
                               : node_by_id_.find(hash_of(0, id), same_as(id));
  }

  std::string no_node(const std::string& column, std::string_view id) const {
    return "column '" + column + "': no node " + in_quotes(id) + " in " +
           (nodes().file == edges().file ? "the file"
                                         : nodes().file.substr(nodes().file.rfind('/') + 1));
  }

  /// Reads the lines twice instead of keeping them.
  void stream_edges() {
    const auto list = [&](const EdgeSink& edge) {
      CsvLines lines(tables_.open_edges());
      const std::size_t source = lines.find("source").value();
      const std::size_t target = lines.find("target").value();
      const auto node_in = [&](std::size_t column) {
        const std::string_view id = lines.cells()[column];
        const std::uint32_t found = row_of(0, id);
        if (found == RowIndex::kNone) lines.reader().fail(no_node(lines.names()[column], id));
        return static_cast<std::int64_t>(node_of(found));
      };
      while (lines.next()) {
        const std::int64_t u = node_in(source);
        edge(u, node_in(target));
      }
    };
    dataset_.graphs.push_back(Graph::from_listed(dataset_.num_nodes(), list, SelfLoops::kKeep, 1));
  }

  void read_edges() {
    if (tables_.open_edges) return stream_edges();
    if (edges().num_rows() == 0 && edges().columns.empty()) {  // of a file without any
      build_graphs(std::vector<EdgeList>(graph_names_.size()));
      return;
    }
    const TextColumn& source = edges().require("source");
    const TextColumn& target = edges().require("target");
    const TextColumn* weight = edges().find("weight");
    const TextColumn* graph = edges().find("graph");
    if (graph != nullptr && graph_of_node_ == nullptr) nodes().require("graph");
    if (graph == nullptr && graph_names_.size() > 1) index_by_id();
    const std::vector<Column> columns =
        typed_columns(edges(), Roles{&source, &target, weight, graph});
    for (const Column& column : columns) dataset_.edge_columns.push_back(column);

    std::vector<EdgeList> lists(graph_names_.size());
    for (EdgeList& list : lists) list.row_width = static_cast<std::int64_t>(columns.size());
    for (std::size_t row = 0; row < edges().num_rows(); ++row) {
      const auto u = static_cast<std::int64_t>(end_of(source, graph, row));
      const auto v = static_cast<std::int64_t>(end_of(target, graph, row));
      const auto& offsets = dataset_.node_offsets;
      const auto g = std::upper_bound(offsets.begin(), offsets.end(), u) - offsets.begin() - 1;
      if (v < offsets[g] || v >= offsets[g + 1])
        edges().fail(row, "the nodes are in different graphs, " + in_quotes(graph_names_[g]) +
                              " and another");
      lists[g].source.push_back(u - offsets[g]);
      lists[g].target.push_back(v - offsets[g]);
      if (weight != nullptr) lists[g].weight.push_back(number_in(edges(), *weight, row));
      for (const Column& column : columns) lists[g].rows.push_back(column.values[row]);
    }
    build_graphs(lists);
  }

  void build_graphs(const std::vector<EdgeList>& lists) {
    const bool symmetrise = tables_.directed || options_.directed == Directed::kSymmetrise;
    if (tables_.directed && options_.directed == Directed::kError)
      edges().fail(
          "the graph is directed, and models are for undirected ones; with directed = symmetrise "
          "every edge goes in both directions");
    std::int64_t listed_edges = 0;
    std::int64_t one_way = 0;
    std::int64_t differing = 0;
    const Compare what = symmetrise ? Compare::kRows : Compare::kWeightsAndRows;
    for (std::size_t g = 0; g < lists.size(); ++g) {
      const std::int64_t count = dataset_.node_offsets[g + 1] - dataset_.node_offsets[g];
      Graph graph = Graph::from_edges(count, lists[g], {.self_loops = SelfLoops::kKeep});
      if (symmetrise) {
        listed_edges += std::ssize(lists[g].source);
        one_way += one_way_edges(lists[g]);
        if (graph.has_weights()) graph = with_mean_weights(graph, lists[g]);
      }
      differing += repeated_otherwise(graph, lists[g], what);
      dataset_.graphs.push_back(std::move(graph));
    }
    if (symmetrise)
      dataset_.notes.push_back("symmetrised: every edge goes in both directions; " +
                               std::to_string(one_way) + " of " + std::to_string(listed_edges) +
                               " had none back");
    if (differing > 0) dataset_.notes.push_back(repeated_note(differing, what));
  }

  /// An edge in both directions, or listed twice, gets the mean of its weights.
  static Graph with_mean_weights(const Graph& graph, EdgeList list) {
    list.rows.clear();
    list.row_width = 0;
    GraphParts parts = graph.parts();
    parts.weights = Graph::from_edges(graph.num_nodes(), list,
                                      {.self_loops = SelfLoops::kKeep, .merge = Merge::kMean})
                        .parts()
                        .weights;
    return Graph::from_csr(std::move(parts));
  }

  static std::int64_t one_way_edges(const EdgeList& list) {
    std::set<std::pair<std::int64_t, std::int64_t>> there;
    for (std::size_t i = 0; i < list.source.size(); ++i)
      there.emplace(list.source[i], list.target[i]);
    return std::count_if(there.begin(), there.end(), [&](const auto& edge) {
      return !there.contains({edge.second, edge.first});
    });
  }

  void read_labels() {
    const TextTable& table = graph_task() && tables_.graphs ? *tables_.graphs : nodes();
    std::vector<std::uint32_t> graph_of_row;
    if (tables_.graphs) {
      graph_of_row.resize(graph_names_.size());
      std::iota(graph_of_row.begin(), graph_of_row.end(), 0);
    }
    const std::vector<std::uint32_t>& sample_of_row = tables_.graphs ? graph_of_row : node_of_row_;
    const bool labelled = !graph_task() || tables_.graphs;
    const std::vector<const TextColumn*> labels =
        labelled ? labels_in(table) : std::vector<const TextColumn*>();
    const std::size_t asked = listed(options_.label_column).size();
    if (labelled && labels.size() < asked) {
      dataset_.notes.push_back("not all label columns " + options_.label_column + " are in " +
                               table.file.substr(table.file.rfind('/') + 1) + ", which has " +
                               names_of_columns(table));
    }
    read_targets(table, labels, options_.targets, sample_of_row, dataset_);
    const TextColumn* split = labelled ? table.find("split") : nullptr;
    if (split != nullptr) dataset_.splits["own"] = read_split(table, *split, sample_of_row);
    label_columns_.insert(labels.begin(), labels.end());
    if (tables_.graphs) note_unused_graph_columns(*tables_.graphs, split);
  }

  void note_unused_graph_columns(const TextTable& graphs, const TextColumn* split) {
    for (const TextColumn& column : graphs.columns) {
      if (&column == graph_ids_ || &column == split || label_columns_.contains(&column)) continue;
      dataset_.notes.push_back("ignored: column '" + column.name() +
                               "' of graphs; no model takes "
                               "features of a whole graph");
    }
  }

  std::vector<Column> typed_columns(const TextTable& table, const Roles& roles) {
    const std::vector<std::string> categorical = listed(options_.categorical);
    std::vector<Column> columns;
    for (const TextColumn& column : table.columns) {
      if (roles.contains(&column)) continue;
      const bool as_categories =
          std::find(categorical.begin(), categorical.end(), column.name()) != categorical.end();
      if (!as_categories && all_different_texts(column)) {
        dataset_.notes.push_back("ignored: column '" + column.name() +
                                 "', a different text in each row");
        continue;
      }
      columns.push_back(typed_column(table, column, as_categories));
    }
    return columns;
  }

  /// A name of the row rather than a category.
  static bool all_different_texts(const TextColumn& column) {
    constexpr std::size_t kFew = 20;
    if (column.size() <= kFew) return false;
    std::set<std::string_view> seen;
    for (std::size_t row = 0; row < column.size(); ++row) {
      const bool number =
          column[row].find_first_not_of("0123456789+-.,eE") == std::string_view::npos;
      if (number || is_missing(column[row]) || !seen.insert(column[row]).second) return false;
    }
    return true;
  }

  void read_features() {
    Roles roles = label_columns_;
    roles.insert({id_, graph_of_node_});
    if (const TextColumn* split = nodes().find("split")) {
      roles.insert(split);
      if (graph_task())
        dataset_.notes.push_back("ignored: column 'split' of nodes; the samples are graphs");
    }
    std::vector<Column> columns = typed_columns(nodes(), roles);
    if (columns.empty()) return;
    for (Column& column : columns) {
      std::vector<float> by_node(column.values.size());
      for (std::size_t row = 0; row < by_node.size(); ++row)
        by_node[node_of_row_[row]] = column.values[row];
      column.values = std::move(by_node);
    }
    dataset_.features = ColumnRows{std::move(columns)};
    dataset_.columns.kind = kNumbers;
  }

  GraphTables tables_;
  const LoadOptions& options_;
  Dataset dataset_;
  const TextColumn* id_ = nullptr;
  const TextColumn* graph_of_node_ = nullptr;  // null: there is one graph
  const TextColumn* graph_ids_ = nullptr;
  Roles label_columns_;
  std::vector<std::string> graph_names_;
  ByName<std::size_t> graph_number_;
  std::vector<std::size_t> graph_of_row_;   // by row of nodes; empty: there is one graph
  std::vector<std::uint32_t> node_of_row_;  // numbered across all graphs; empty: as the rows
  RowIndex node_number_;                    // by graph and id; empty: ids are rows' numbers
  RowIndex node_by_id_;                     // where edges do not name their graph
};

}  // namespace

Dataset dataset_of(GraphTables tables, const LoadOptions& options) {
  return TableDataset(std::move(tables), options).make();
}

}  // namespace hgnet
