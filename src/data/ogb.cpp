// Molecules in the layout of the Open Graph Benchmark: one csv file per kind of item, graph after
// graph, nodes numbered from 0 in each graph, every bond listed once.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "data/line_reader.hpp"
#include "data/readers.hpp"
#include "hgnet/core/error.hpp"

namespace hgnet {
namespace {

constexpr std::int64_t kMaxCategory = (1 << 20) - 1;

// The categories of OGB's encoding of molecules, whether they occur or not.
constexpr std::array<std::int32_t, 9> kAtomSizes{119, 5, 12, 12, 10, 6, 6, 2, 2};
constexpr std::array<std::int32_t, 3> kBondSizes{5, 6, 2};

constexpr std::int32_t kMaxEdgeCategories = 1 << 16;

/// Rows of categories, with the number of categories per column: those of molecules if the number
/// of columns matches, else as many as occur.
class CategoryReader {
 public:
  CategoryReader(ByteStream stream, const char* what, std::span<const std::int32_t> known_sizes)
      : reader_(std::move(stream)), what_(what), more_(reader_.next_filled()) {
    if (!more_) return;
    sizes_.resize(reader_.fields().size());
    known_ = sizes_.size() == known_sizes.size();
    if (known_) sizes_.assign(known_sizes.begin(), known_sizes.end());
  }

  bool more() const { return more_; }

  /// Appends the next row; there must be one.
  template <class T>
  void next(std::vector<T>& values) {
    for (std::size_t c = 0; c < sizes_.size(); ++c) {
      const auto high = known_ ? sizes_[c] - 1 : kMaxCategory;
      const auto value = static_cast<std::int32_t>(reader_.integer(what_, 0, high));
      sizes_[c] = std::max(sizes_[c], value + 1);
      values.push_back(static_cast<T>(value));
    }
    reader_.expect_end("as many columns as on the first line");
    more_ = reader_.next_filled();
  }

  const std::vector<std::int32_t>& sizes() const { return sizes_; }
  std::int64_t width() const { return static_cast<std::int64_t>(sizes_.size()); }
  [[noreturn]] void fail(const std::string& what) const { reader_.fail(what); }

 private:
  LineReader reader_;
  const char* what_;
  bool more_;
  bool known_ = false;
  std::vector<std::int32_t> sizes_;
};

std::vector<std::int64_t> read_integers(ByteStream stream, const char* what, std::int64_t high,
                                        std::int64_t most_lines = kMaxNodes) {
  LineReader reader(std::move(stream));
  std::vector<std::int64_t> values;
  while (reader.next_filled()) {
    if (std::ssize(values) == most_lines)
      reader.fail("more lines than the " + std::to_string(most_lines) + " there can be");
    values.push_back(reader.integer(what, 0, high));
    reader.expect_end("one integer per line");
  }
  return values;
}

CategoricalRows read_atoms(const FileSet& files, std::int64_t num_nodes) {
  CategoryReader reader(files.open("raw/node-feat.csv"), "node category", kAtomSizes);
  CategoricalRows rows;
  std::int64_t count = 0;
  for (; reader.more(); ++count) {
    if (count == num_nodes) reader.fail("more lines than num-node-list announces nodes");
    reader.next(rows.values);
  }
  if (count < num_nodes) {
    reader.fail("the file ends after " + std::to_string(count) +
                " nodes; num-node-list announces " + std::to_string(num_nodes));
  }
  rows.sizes = reader.sizes();
  return rows;
}

/// Reads edge.csv and edge-feat.csv in step.
class BondReader {
 public:
  explicit BondReader(const FileSet& files) : edges_(files.open("raw/edge.csv")) {
    if (files.find("raw/edge-feat.csv")) {
      features_.emplace(files.open("raw/edge-feat.csv"), "edge category", kBondSizes);
    }
  }

  Graph next_graph(std::int64_t num_nodes, std::int64_t num_edges) {
    list_.source.clear();
    list_.target.clear();
    list_.rows.clear();
    for (std::int64_t e = 0; e < num_edges; ++e) {
      if (!edges_.next_filled())
        edges_.fail("the file ends before the edges num-edge-list announces");
      list_.source.push_back(edges_.integer("node", 0, num_nodes - 1));
      list_.target.push_back(edges_.integer("node", 0, num_nodes - 1));
      edges_.expect_end("two nodes");
      if (features_ && !features_->more()) {
        features_->fail("the file ends before the edges num-edge-list announces");
      }
      if (features_) features_->next(list_.rows);
    }
    list_.row_width = features_ ? features_->width() : 0;
    return Graph::from_edges(num_nodes, list_, {.self_loops = SelfLoops::kKeep});
  }

  void expect_end() {
    if (edges_.next_filled()) edges_.fail("more lines than num-edge-list announces edges");
    if (features_ && features_->more()) {
      features_->fail("more lines than num-edge-list announces edges");
    }
  }

  std::vector<std::int32_t> sizes() const {
    return features_ ? features_->sizes() : std::vector<std::int32_t>();
  }

 private:
  LineReader edges_;
  std::optional<CategoryReader> features_;
  EdgeList list_;
};

void read_graphs(const FileSet& files, Dataset& dataset) {
  const auto nodes = read_integers(files.open("raw/num-node-list.csv"), "node count", kMaxNodes);
  const auto edges = read_integers(files.open("raw/num-edge-list.csv"), "edge count", kMaxNodes);
  if (nodes.size() != edges.size()) {
    files.fail("num-node-list is for " + std::to_string(nodes.size()) +
               " graphs, num-edge-list for " + std::to_string(edges.size()));
  }
  for (const std::int64_t count : nodes) {
    dataset.node_offsets.push_back(dataset.node_offsets.back() + count);
  }
  // Read first, since its length limits how many nodes the graphs below can claim to have.
  dataset.features = read_atoms(files, dataset.num_nodes());
  dataset.columns.kind = kAtoms;
  BondReader bonds(files);
  for (std::size_t g = 0; g < nodes.size(); ++g) {
    dataset.graphs.push_back(bonds.next_graph(nodes[g], edges[g]));
  }
  bonds.expect_end();
  const std::vector<std::int32_t> sizes = bonds.sizes();
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    if (sizes[c] > kMaxEdgeCategories)
      files.fail("edge category " + std::to_string(sizes[c] - 1) + " in column " +
                 std::to_string(c) + " of edge-feat; number them without large gaps");
    ColumnInfo& column = dataset.edge_columns.emplace_back();
    column = {"bond column " + std::to_string(c), ColumnKind::kCategory};
    for (std::int32_t i = 0; i < sizes[c]; ++i) column.categories.push_back(std::to_string(i));
  }
}

void read_targets(const FileSet& files, Dataset& dataset) {
  LineReader reader(files.open("raw/graph-label.csv"));
  bool binary = true;
  std::int64_t count = 0;
  while (reader.next()) {
    const std::vector<std::string_view>& cells = reader.cells();
    if (count++ == 0) dataset.num_tasks = static_cast<std::int64_t>(cells.size());
    if (static_cast<std::int64_t>(cells.size()) != dataset.num_tasks) {
      reader.fail(std::to_string(cells.size()) + " labels; expected " +
                  std::to_string(dataset.num_tasks) + " as on the first line");
    }
    for (const std::string_view cell : cells) {
      const float value =
          cell.empty() ? std::numeric_limits<float>::quiet_NaN() : reader.number_of(cell, "label");
      binary = binary && (std::isnan(value) || value == 0.0F || value == 1.0F);
      dataset.targets.push_back(value);
    }
  }
  if (count != dataset.num_graphs()) {
    reader.fail("labels of " + std::to_string(count) + " graphs; num-node-list is for " +
                std::to_string(dataset.num_graphs()));
  }
  dataset.target_kind = binary ? TargetKind::kMultiLabel : TargetKind::kRegression;
}

/// Every folder below split/ that has a train.csv.
void read_splits(const FileSet& files, Dataset& dataset) {
  for (const auto& [file, content] : files.files()) {
    const std::size_t train = file.find("/train.csv");
    const std::size_t split = file.find("split/");
    if (train == std::string::npos || split == std::string::npos || split + 6 > train) continue;
    const std::string name = file.substr(split + 6, train - split - 6);
    const auto read = [&](const std::string& part) {
      auto ids = read_integers(files.open("split/" + name + "/" + part), "graph",
                               dataset.num_graphs() - 1, dataset.num_graphs());
      std::sort(ids.begin(), ids.end());
      return ids;
    };
    dataset.splits[name] = {read("train.csv"), read("valid.csv"), read("test.csv")};
  }
}

}  // namespace

Dataset read_ogb(const FileSet& files) {
  Dataset dataset;
  dataset.name = files.place().stem().string();
  dataset.task = Task::kGraph;
  read_graphs(files, dataset);
  read_targets(files, dataset);
  read_splits(files, dataset);
  return dataset;
}

}  // namespace hgnet
