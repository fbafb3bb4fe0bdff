// The user's own graph: nodes.csv and edges.csv, each with a header line that names its columns.

#include <algorithm>
#include <charconv>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "data/features.hpp"
#include "data/line_reader.hpp"
#include "data/readers.hpp"
#include "hgnet/core/error.hpp"

namespace hgnet {
namespace {

struct StringHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>()(text);
  }
};
using Ids = std::unordered_map<std::string, NodeId, StringHash, std::equal_to<>>;

/// Rows below a header line. The columns named in `special` are found by name; all others are
/// features.
class Table {
 public:
  Table(ByteStream stream, std::vector<std::string> special)
      : reader_(std::move(stream)), special_(std::move(special)), places_(special_.size()) {
    if (!reader_.next_filled()) reader_.fail("is empty; expected a header line with column names");
    for (const std::string_view name : reader_.cells()) names_.emplace_back(name);
    std::unordered_set<std::string_view> seen;
    for (std::size_t c = 0; c < names_.size(); ++c) {
      const auto found = std::find(special_.begin(), special_.end(), names_[c]);
      if (found == special_.end()) {
        if (!seen.insert(names_[c]).second) reader_.fail("two columns are called " + names_[c]);
        features_.push_back(c);
        continue;
      }
      std::optional<std::size_t>& place = places_[found - special_.begin()];
      if (place) reader_.fail("two columns are called " + names_[c]);
      place = c;
    }
  }

  bool has(std::size_t special) const { return places_[special].has_value(); }
  void require(std::size_t special) const {
    if (!has(special)) reader_.fail("no column '" + special_[special] + "' on the header line");
  }

  bool next() {
    if (!reader_.next_filled()) return false;
    cells_ = &reader_.cells();
    if (cells_->size() != names_.size()) {
      reader_.fail(std::to_string(cells_->size()) + " cells; the header line has " +
                   std::to_string(names_.size()) + " columns");
    }
    return true;
  }

  std::string_view cell(std::size_t special) const { return (*cells_)[*places_[special]]; }
  std::int64_t num_features() const { return static_cast<std::int64_t>(features_.size()); }
  std::vector<std::string> feature_names() const {
    std::vector<std::string> result;
    for (const std::size_t c : features_) result.push_back(names_[c]);
    return result;
  }
  void append_features(std::vector<float>& values) const {
    for (const std::size_t c : features_) {
      values.push_back(reader_.number_of((*cells_)[c], "column '" + names_[c] + "':"));
    }
  }
  const LineReader& reader() const { return reader_; }

 private:
  LineReader reader_;
  std::vector<std::string> special_;
  std::vector<std::optional<std::size_t>> places_;  // by special column
  std::vector<std::string> names_;
  std::vector<std::size_t> features_;
  const std::vector<std::string_view>* cells_ = nullptr;
};

/// Empty, train, val or test.
void add_to_split(const Table& table, std::string_view part, std::int64_t node, Split& split) {
  if (part.empty()) return;
  if (part == "train") {
    split.train.push_back(node);
  } else if (part == "val") {
    split.val.push_back(node);
  } else if (part == "test") {
    split.test.push_back(node);
  } else {
    table.reader().fail("column 'split': '" + std::string(part.substr(0, 60)) +
                        "'; expected train, val, test or nothing");
  }
}

template <class T>
std::optional<T> parsed(std::string_view text) {
  T value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

template <class T>
bool all_are(const std::vector<std::string>& labels) {
  return std::all_of(labels.begin(), labels.end(), [](const std::string& label) {
    return label.empty() || parsed<T>(label).has_value();
  });
}

/// Classes in the order of their names, or of their values if all are integers.
void set_classes(const std::vector<std::string>& labels, Dataset& dataset) {
  const bool by_value = all_are<std::int64_t>(labels);
  const auto before = [&](const std::string& a, const std::string& b) {
    const auto value = [&](const std::string& text) {
      return by_value ? parsed<std::int64_t>(text).value_or(0) : 0;
    };
    return std::pair(value(a), std::string_view(a)) < std::pair(value(b), std::string_view(b));
  };
  std::vector<std::string>& names = dataset.class_names;
  std::copy_if(labels.begin(), labels.end(), std::back_inserter(names),
               [](const std::string& label) { return !label.empty(); });
  std::sort(names.begin(), names.end(), before);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (const std::string& label : labels) {
    const auto place = std::lower_bound(names.begin(), names.end(), label, before);
    dataset.classes.push_back(label.empty() ? kUnlabelled
                                            : static_cast<std::int32_t>(place - names.begin()));
  }
}

/// Labels that are numbers but not all integers are regression targets; others are classes.
void set_targets(const std::vector<std::string>& labels, Dataset& dataset) {
  if (all_are<std::int64_t>(labels) || !all_are<float>(labels)) {
    set_classes(labels, dataset);
    return;
  }
  dataset.target_kind = TargetKind::kRegression;
  dataset.num_tasks = 1;
  for (const std::string& label : labels) {
    dataset.targets.push_back(
        parsed<float>(label).value_or(std::numeric_limits<float>::quiet_NaN()));
  }
}

Ids read_nodes(const FileSet& files, Dataset& dataset) {
  enum : std::size_t { kId, kLabel, kSplit };
  Table table(files.open("nodes.csv"), {"id", "label", "split"});
  table.require(kId);
  Ids ids;
  DenseRows rows{table.num_features(), {}};
  std::vector<std::string> labels;
  Split split;
  while (table.next()) {
    const auto node = static_cast<NodeId>(ids.size());
    if (!ids.emplace(table.cell(kId), node).second) {
      table.reader().fail("column 'id': '" + std::string(table.cell(kId)) + "' occurs twice");
    }
    dataset.sample_names.emplace_back(table.cell(kId));
    labels.emplace_back(table.has(kLabel) ? table.cell(kLabel) : std::string_view());
    if (table.has(kSplit)) add_to_split(table, table.cell(kSplit), node, split);
    table.append_features(rows.values);
  }
  if (ids.empty()) table.reader().fail("no nodes; expected a line per node below the header line");
  set_targets(labels, dataset);
  if (table.has(kSplit)) dataset.splits["own"] = std::move(split);
  dataset.features = std::move(rows);
  dataset.columns = {kNumbers, table.feature_names(), 0};
  return ids;
}

Graph read_edges(const FileSet& files, const Ids& ids) {
  enum : std::size_t { kSource, kTarget, kWeight };
  Table table(files.open("edges.csv"), {"source", "target", "weight"});
  table.require(kSource);
  table.require(kTarget);
  const auto node = [&](std::size_t column, const char* name) {
    const auto found = ids.find(table.cell(column));
    if (found == ids.end()) {
      table.reader().fail(std::string("column '") + name + "': no node '" +
                          std::string(table.cell(column).substr(0, 60)) + "' in nodes.csv");
    }
    return found->second;
  };
  EdgeList edges;
  edges.row_width = table.num_features();
  while (table.next()) {
    edges.source.push_back(node(kSource, "source"));
    edges.target.push_back(node(kTarget, "target"));
    if (table.has(kWeight)) {
      edges.weight.push_back(table.reader().number_of(table.cell(kWeight), "column 'weight':"));
    }
    table.append_features(edges.rows);
  }
  return Graph::from_edges(static_cast<std::int64_t>(ids.size()), edges,
                           {.self_loops = SelfLoops::kKeep});
}

}  // namespace

Dataset read_csv_graph(const FileSet& files) {
  Dataset dataset;
  dataset.name = files.place().filename().string();
  const Ids ids = read_nodes(files, dataset);
  dataset.graphs.push_back(read_edges(files, ids));
  dataset.node_offsets = {0, static_cast<std::int64_t>(ids.size())};
  if (std::get<DenseRows>(dataset.features).width == 0) {
    dataset.features = one_hot_degrees(dataset.graphs);
    dataset.columns.kind = kNodeDegrees;
  }
  return dataset;
}

}  // namespace hgnet
