#include "hgnet/data/dataset.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include "data/distinct_graphs.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/core/text.hpp"

namespace hgnet {
namespace {

/// The rules, one by one, for one data set.
class Check {
 public:
  explicit Check(const Dataset& dataset) : dataset_(dataset) {}

  [[noreturn]] void fail(const std::string& what) const {
    throw InvalidDataset("data set " + printable(dataset_.name) + ": " + what);
  }

  void length(const char* what, std::size_t got, std::int64_t expected) const {
    if (static_cast<std::int64_t>(got) == expected) return;
    fail(std::to_string(got) + " " + what + ", expected " + std::to_string(expected));
  }

  /// Checks that there are as many entries as `rows` rows of `width` have.
  void entries(const char* what, std::size_t got, std::int64_t rows, std::int64_t width) const {
    const auto size = static_cast<std::int64_t>(got);
    if (rows == 0 ? size == 0 : size % rows == 0 && size / rows == width) return;
    fail(std::to_string(got) + " " + what + " do not make " + std::to_string(rows) + " rows of " +
         std::to_string(width));
  }

  void graphs() const;
  void rows(const DenseRows& rows) const;
  void rows(const SparseMatrix& rows) const;
  void rows(const CategoricalRows& rows) const;
  void rows(const BitRows& rows) const;
  void rows(const ColumnRows& rows) const;
  void targets() const;
  void names() const;
  void split(const std::string& name, const Split& split) const;

 private:
  void finite(std::span<const float> values) const;
  void edge_columns(std::size_t graph) const;
  void cell(const ColumnInfo& column, float value, const std::string& place) const;

  const Dataset& dataset_;
};

void Check::graphs() const {
  length("node offsets", dataset_.node_offsets.size(), dataset_.num_graphs() + 1);
  if (dataset_.node_offsets.front() != 0) fail("node offsets do not start at 0");
  for (std::size_t g = 0; g < dataset_.graphs.size(); ++g) {
    const Graph& graph = dataset_.graphs[g];
    const std::int64_t nodes = dataset_.node_offsets[g + 1] - dataset_.node_offsets[g];
    if (graph.num_nodes() != nodes) {
      fail("graph " + std::to_string(g) + " has " + std::to_string(graph.num_nodes()) +
           " nodes, by the offsets " + std::to_string(nodes));
    }
    if (graph.edge_row_width() != dataset_.graphs.front().edge_row_width()) {
      fail("graph " + std::to_string(g) + " has edge rows of a different width than the first");
    }
  }
  if (dataset_.edge_columns.empty()) return;
  for (const Graph* graph : distinct_graphs(dataset_.graphs).graphs)
    edge_columns(graph - dataset_.graphs.data());
}

void Check::cell(const ColumnInfo& column, float value, const std::string& place) const {
  const float most = column.kind == ColumnKind::kCategory
                         ? static_cast<float>(column.categories.size()) - 1
                         : 1.0F;
  const bool counts = column.kind != ColumnKind::kNumber && value != kMissingCell;
  const bool right =
      counts ? value >= 0 && value <= most && value == std::floor(value) : std::isfinite(value);
  if (!right)
    fail(place + ": " + std::to_string(value) + " in column " + in_quotes(column.name) +
         (counts
              ? ", which has " + std::to_string(static_cast<std::int64_t>(most) + 1) + " categories"
              : ""));
}

void Check::edge_columns(std::size_t graph) const {
  const std::vector<ColumnInfo>& columns = dataset_.edge_columns;
  if (dataset_.graphs[graph].num_edges() > 0)
    length("edge columns", columns.size(), dataset_.graphs[graph].edge_row_width());
  const std::span<const float> rows = dataset_.graphs[graph].edge_rows();
  for (std::size_t row = 0; row < rows.size(); row += columns.size()) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (!(columns[c].kind == ColumnKind::kNumber && std::isfinite(rows[row + c])))
        cell(columns[c], rows[row + c], "graph " + std::to_string(graph));
    }
  }
}

void Check::finite(std::span<const float> values) const {
  const auto is_finite = [](float x) { return std::isfinite(x); };
  if (!std::all_of(values.begin(), values.end(), is_finite)) {
    fail("a feature is not finite");
  }
}

void Check::rows(const DenseRows& rows) const {
  if (rows.width < 0) fail("the width of the features is negative");
  entries("feature entries", rows.values.size(), dataset_.num_nodes(), rows.width);
  finite(rows.values);
}

void Check::rows(const SparseMatrix& rows) const {
  length("feature rows", static_cast<std::size_t>(rows.num_rows()), dataset_.num_nodes());
  finite(rows.values());
}

void Check::rows(const CategoricalRows& rows) const {
  const std::size_t width = rows.sizes.size();
  entries("feature entries", rows.values.size(), dataset_.num_nodes(),
          static_cast<std::int64_t>(width));
  for (std::size_t row = 0; row < rows.values.size(); row += width) {
    for (std::size_t c = 0; c < width; ++c) {
      const std::int32_t value = rows.values[row + c];
      if (value >= 0 && value < rows.sizes[c]) continue;
      fail("node " + std::to_string(row / width) + ": " + std::to_string(value) + " in column " +
           std::to_string(c) + ", which has " + std::to_string(rows.sizes[c]) + " categories");
    }
  }
}

void Check::rows(const BitRows& rows) const {
  const std::int64_t num_nodes = dataset_.num_nodes();
  length("words of feature bits", rows.words.size(), (num_nodes + 63) / 64);
  if (num_nodes % 64 != 0 && rows.words.back() >> (num_nodes % 64) != 0) {
    fail("feature bits after the last node");
  }
}

void Check::rows(const ColumnRows& rows) const {
  for (const Column& column : rows.columns) {
    length("cells of a feature column", column.values.size(), dataset_.num_nodes());
    for (std::size_t node = 0; node < column.values.size(); ++node)
      cell(column, column.values[node], "node " + std::to_string(node));
  }
}

void Check::targets() const {
  if (dataset_.target_kind == TargetKind::kClasses) {
    length("classes", dataset_.classes.size(), dataset_.num_samples());
    for (std::size_t i = 0; i < dataset_.classes.size(); ++i) {
      const std::int32_t c = dataset_.classes[i];
      if (c == kUnlabelled || (c >= 0 && c < dataset_.num_classes())) continue;
      fail("sample " + std::to_string(i) + " has class " + std::to_string(c) + " of " +
           std::to_string(dataset_.num_classes()));
    }
    return;
  }
  if (dataset_.num_tasks <= 0) fail("no tasks");
  entries("targets", dataset_.targets.size(), dataset_.num_samples(), dataset_.num_tasks);
  for (std::size_t i = 0; i < dataset_.targets.size(); ++i) {
    const float value = dataset_.targets[i];
    const bool right = dataset_.target_kind == TargetKind::kMultiLabel
                           ? value == 0.0F || value == 1.0F || std::isnan(value)
                           : !std::isinf(value);
    if (right) continue;
    fail("sample " + std::to_string(static_cast<std::int64_t>(i) / dataset_.num_tasks) +
         " has the target " + std::to_string(value));
  }
}

void Check::names() const {
  const auto check = [&](const char* what, const std::string& name) {
    if (const char* fault = text_fault(name)) {
      fail(std::string(what) + " " + in_quotes(name) + " has " + fault +
           "; expected UTF-8 without control characters");
    }
  };
  check("the name", dataset_.name);
  for (const std::string& name : dataset_.class_names) check("class", name);
  for (const std::string& name : dataset_.columns.names) check("feature column", name);
  const auto check_column = [&](const char* what, const ColumnInfo& column) {
    check(what, column.name);
    for (const std::string& name : column.categories) check("category", name);
  };
  if (const auto* rows = std::get_if<ColumnRows>(&dataset_.features)) {
    for (const Column& column : rows->columns) check_column("feature column", column);
  }
  for (const ColumnInfo& column : dataset_.edge_columns) check_column("edge column", column);
  for (const std::string& name : dataset_.target_names) check("task", name);
  for (const std::string& name : dataset_.sample_names) check("sample", name);
  for (const auto& [name, split] : dataset_.splits) check("split", name);
  for (const auto& [name, text] : dataset_.facts) {
    check("fact", name);
    check("fact", text);
  }
}

void Check::split(const std::string& name, const Split& split) const {
  std::vector<bool> taken(dataset_.num_samples());
  for (const auto* part : {&split.train, &split.val, &split.test}) {
    std::int64_t previous = -1;
    for (const std::int64_t sample : *part) {
      const auto wrong = [&](const char* what) {
        fail("split " + name + ": sample " + std::to_string(sample) + " " + what);
      };
      if (sample < 0 || sample >= dataset_.num_samples()) wrong("does not exist");
      if (sample <= previous) wrong("is not in ascending order");
      if (taken[sample]) wrong("is in two parts");
      taken[sample] = true;
      previous = sample;
    }
  }
}

}  // namespace

std::int64_t Dataset::num_features() const {
  struct Width {
    std::int64_t operator()(const DenseRows& rows) const { return rows.width; }
    std::int64_t operator()(const SparseMatrix& rows) const { return rows.num_columns(); }
    std::int64_t operator()(const CategoricalRows& rows) const {
      return static_cast<std::int64_t>(rows.sizes.size());
    }
    std::int64_t operator()(const BitRows&) const { return 1; }
    std::int64_t operator()(const ColumnRows& rows) const {
      return static_cast<std::int64_t>(rows.columns.size());
    }
  };
  return std::visit(Width(), features);
}

namespace {

/// For each of `names`, its position among the data set's columns, which must be the same ones.
std::vector<std::size_t> places_of(const std::vector<std::string>& names, const Dataset& dataset,
                                   const Check& check) {
  std::unordered_map<std::string_view, std::size_t> own;
  for (const std::string& name : dataset.columns.names) own.emplace(name, own.size());
  std::vector<std::size_t> places;
  for (const std::string& name : names) {
    const auto found = own.find(name);
    if (found == own.end()) check.fail("there is no feature column '" + name + "'");
    places.push_back(found->second);
    own.erase(found);
  }
  if (!own.empty())
    check.fail("the feature column '" + std::string(own.begin()->first) + "' is not expected");
  return places;
}

void reorder(DenseRows& rows, const std::vector<std::size_t>& places) {
  std::vector<float> values(rows.values.size());
  for (std::size_t row = 0; row < values.size(); row += places.size()) {
    for (std::size_t c = 0; c < places.size(); ++c) values[row + c] = rows.values[row + places[c]];
  }
  rows.values = std::move(values);
}

/// Shifts one-hot numbers that start at a different value, or are fewer. A row with another number
/// has no entry; a note tells of it.
SparseMatrix shifted(const SparseMatrix& rows, std::int64_t width, std::int64_t first_label,
                     Dataset& dataset) {
  const std::int64_t shift = dataset.columns.first_label - first_label;
  const CsrView csr = rows.csr();
  std::vector<EdgeId> offsets{0};
  std::vector<NodeId> columns;
  std::vector<float> values;
  std::int64_t unknown = 0;
  std::int64_t example = 0;
  for (std::size_t row = 0; row + 1 < csr.offsets.size(); ++row) {
    for (auto e = static_cast<std::size_t>(csr.offsets[row]);
         e < static_cast<std::size_t>(csr.offsets[row + 1]); ++e) {
      const std::int64_t moved = csr.columns[e] + shift;
      if (moved < 0 || moved >= width) {
        ++unknown;
        example = csr.columns[e] + dataset.columns.first_label;
        continue;
      }
      columns.push_back(static_cast<NodeId>(moved));
      values.push_back(rows.values()[e]);
    }
    offsets.push_back(static_cast<EdgeId>(columns.size()));
  }
  if (unknown > 0)
    dataset.notes.push_back("unknown: " + dataset.columns.kind + " of " + std::to_string(unknown) +
                            " nodes, such as " + std::to_string(example) +
                            ", which the model was not trained on; their features are 0");
  return {width, std::move(offsets), std::move(columns), std::move(values)};
}

}  // namespace

void align_features(Dataset& dataset, std::int64_t width, const FeatureColumns& columns) {
  const Check check(dataset);
  FeatureColumns& own = dataset.columns;
  if (own.kind != columns.kind) {
    check.fail("the features are " + (own.kind.empty() ? "of another kind" : own.kind) +
               "; expected " + columns.kind);
  }
  auto* dense = std::get_if<DenseRows>(&dataset.features);
  if (dense != nullptr && own.names != columns.names)
    reorder(*dense, places_of(columns.names, dataset, check));
  const bool one_hot = own.kind == kNodeLabels || own.kind == kNodeDegrees;
  if (one_hot && (dataset.num_features() != width || own.first_label != columns.first_label)) {
    dataset.features =
        shifted(std::get<SparseMatrix>(dataset.features), width, columns.first_label, dataset);
  }
  if (dataset.num_features() != width) {
    check.fail(std::to_string(dataset.num_features()) + " " + own.kind + " as features; expected " +
               std::to_string(width));
  }
  own = columns;
}

void validate(const Dataset& dataset) {
  const Check check(dataset);
  check.graphs();
  std::visit([&](const auto& rows) { check.rows(rows); }, dataset.features);
  check.targets();
  check.names();
  if (!dataset.sample_names.empty())
    check.length("names of samples", dataset.sample_names.size(), dataset.num_samples());
  if (!dataset.target_names.empty())
    check.length("names of tasks", dataset.target_names.size(), dataset.num_tasks);
  if (!dataset.target_standards.empty())
    check.length("standards of targets", dataset.target_standards.size(), dataset.num_tasks);
  for (const auto& [name, split] : dataset.splits) check.split(name, split);
  if (!dataset.groups.empty())
    check.length("groups of samples", dataset.groups.size(), dataset.num_samples());
}

}  // namespace hgnet
