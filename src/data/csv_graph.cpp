// The user's own graph: nodes.csv and edges.csv, each with a header line that names its columns.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/text.hpp"
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
    for (const std::string_view name : reader_.cells())
      names_.push_back(reader_.name_of(name, "column"));
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
    table.reader().fail("column 'split': " + in_quotes(part) +
                        "; expected train, val, test or nothing");
  }
}

template <class T>
std::optional<T> parsed(std::string_view text) {
  T value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_number(std::string_view text) {
  const std::optional<float> value = parsed<float>(text);
  return value && std::isfinite(*value);
}

/// Whether people would take the text for a number that is no integer: +0.5 and 1e39 too, which are
/// none that can be read.
bool looks_like_fraction(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error != std::errc::invalid_argument && end == text.data() + text.size() &&
         text.find_first_of("0123456789") != std::string_view::npos &&
         text.find_first_of(".eE") != std::string_view::npos;
}

/// The column of labels.
struct Labels {
  /// A label, and where it stands.
  struct Cell {
    std::int64_t line = 0;
    std::string text;
  };

  std::vector<std::string> texts;
  bool all_integers = true;
  std::optional<Cell> fraction;    // the first
  std::optional<Cell> not_number;  // the first

  void add(const LineReader& reader, std::string_view cell) {
    texts.push_back(reader.name_of(cell, "column 'label':"));
    if (cell.empty()) return;
    all_integers = all_integers && parsed<std::int64_t>(cell).has_value();
    const Cell here{reader.line_number(), texts.back()};
    if (!fraction && looks_like_fraction(cell)) fraction = here;
    if (!not_number && !is_number(cell)) not_number = here;
  }

  /// What they are by their looks.
  Targets targets(const LineReader& reader) const {
    if (!fraction) return Targets::kClasses;
    if (!not_number) return Targets::kRegression;
    throw AmbiguousTask(
        reader.file(), not_number->line,
        "column 'label': " + in_quotes(not_number->text) +
            " is not a number that 32 bits hold, while " + in_quotes(fraction->text) + " on line " +
            std::to_string(fraction->line) + " looks like one to predict; a task has to be named");
  }
};

/// Classes in the order of their names, or of their values where all are integers.
void set_classes(const std::vector<std::string>& labels, bool by_value, Dataset& dataset) {
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

void set_numbers(const std::vector<std::string>& labels, Dataset& dataset) {
  dataset.target_kind = TargetKind::kRegression;
  dataset.num_tasks = 1;
  for (const std::string& label : labels) {
    dataset.targets.push_back(
        parsed<float>(label).value_or(std::numeric_limits<float>::quiet_NaN()));
  }
}

Ids read_nodes(const FileSet& files, Targets targets, Dataset& dataset) {
  enum : std::size_t { kId, kLabel, kSplit };
  Table table(files.open("nodes.csv"), {"id", "label", "split"});
  table.require(kId);
  Ids ids;
  DenseRows rows{table.num_features(), {}};
  Labels labels;
  Split split;
  const LineReader& reader = table.reader();
  while (table.next()) {
    const auto node = static_cast<NodeId>(ids.size());
    const std::string id = reader.name_of(table.cell(kId), "column 'id':");
    if (!ids.emplace(id, node).second) {
      reader.fail("column 'id': " + in_quotes(id) + " occurs twice");
    }
    dataset.sample_names.push_back(id);
    const std::string_view label = table.has(kLabel) ? table.cell(kLabel) : std::string_view();
    if (targets == Targets::kRegression && !label.empty())
      reader.number_of(label, "column 'label':");
    labels.add(reader, label);
    if (table.has(kSplit)) add_to_split(table, table.cell(kSplit), node, split);
    table.append_features(rows.values);
  }
  if (ids.empty()) reader.fail("no nodes; expected a line per node below the header line");
  if (targets == Targets::kAuto) targets = labels.targets(reader);
  if (targets == Targets::kRegression) {
    set_numbers(labels.texts, dataset);
  } else {
    set_classes(labels.texts, labels.all_integers, dataset);
  }
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
      table.reader().fail(std::string("column '") + name + "': no node " +
                          in_quotes(table.cell(column)) + " in nodes.csv");
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

Dataset read_csv_graph(const FileSet& files, Targets targets) {
  Dataset dataset;
  dataset.name = files.place().filename().string();
  const Ids ids = read_nodes(files, targets, dataset);
  dataset.graphs.push_back(read_edges(files, ids));
  dataset.node_offsets = {0, static_cast<std::int64_t>(ids.size())};
  if (std::get<DenseRows>(dataset.features).width == 0) {
    dataset.features = one_hot_degrees(dataset.graphs);
    dataset.columns.kind = kNodeDegrees;
  }
  return dataset;
}

}  // namespace hgnet
