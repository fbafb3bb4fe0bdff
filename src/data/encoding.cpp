#include "hgnet/data/encoding.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "data/distinct_graphs.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/core/text.hpp"

namespace hgnet {
namespace {

[[noreturn]] void fail_encoding(const Dataset& dataset, const std::string& what) {
  throw InvalidDataset("data set " + printable(dataset.name) + ": " + what);
}

/// Mean and deviation of the numbers that are added. A column without any, or with one value only,
/// keeps its scale.
class Moments {
 public:
  void add(double value) {
    ++count_;
    const double off = value - mean_;
    mean_ += off / static_cast<double>(count_);
    squares_ += off * (value - mean_);
  }
  Standard standard() const {
    const double deviation = count_ > 0 ? std::sqrt(squares_ / static_cast<double>(count_)) : 0;
    const bool constant = deviation <= 1e-7 * std::abs(mean_);
    return {mean_, constant ? 1 : deviation};
  }
  double mean() const { return mean_; }

 private:
  std::int64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

/// Calls visit(value) for the training part's cells of a column.
using Cells = std::function<void(const std::function<void(float)>& visit)>;

ColumnEncoding fit_column(const ColumnInfo& info, const Cells& train, bool has_missing,
                          const EncodingOptions& options) {
  ColumnEncoding result{info};
  const bool category = info.kind == ColumnKind::kCategory;
  std::vector<Moments> inputs(category ? info.categories.size() : 1);
  train([&](float value) {
    if (value == kMissingCell) return;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      inputs[i].add(category ? (static_cast<std::size_t>(value) == i ? 1 : 0) : value);
  });
  if (options.standardise && info.kind == ColumnKind::kNumber)
    result.standard = inputs.front().standard();
  if (options.missing == Missing::kError) return result;
  for (const Moments& input : inputs) result.fill.push_back(static_cast<float>(input.mean()));
  result.indicator = options.missing == Missing::kIndicator && has_missing;
  return result;
}

std::int64_t width_of(const std::vector<ColumnEncoding>& columns) {
  std::int64_t width = 0;
  for (const ColumnEncoding& column : columns) width += column.width();
  return width;
}

/// The inputs of one cell, written to `to`; false for a missing one that is refused.
bool encode_cell(const ColumnEncoding& column, float value, float* to) {
  const bool missing = value == kMissingCell;
  const std::size_t inputs = column.kind == ColumnKind::kCategory ? column.categories.size() : 1;
  if (missing && column.fill.empty()) return false;
  if (column.indicator) to[inputs] = missing ? 1.0F : 0.0F;
  const Standard& s = column.standard;
  for (std::size_t i = 0; i < inputs; ++i) {
    const float raw = missing ? column.fill[i]
                      : column.kind == ColumnKind::kCategory
                          ? (value == static_cast<float>(i) ? 1.0F : 0.0F)
                          : value;
    to[i] = static_cast<float>((raw - s.mean) / s.deviation);
  }
  return true;
}

/// Where a column of an encoding is among a data set's, and its categories in the encoding's
/// numbers.
struct Place {
  std::size_t column = 0;
  std::vector<float> category;  // by own category; -1: unknown

  float translated(float value) const {
    return category.empty() || value == kMissingCell ? value
                                                     : category[static_cast<std::size_t>(value)];
  }
};

/// Categories such as 1 and 2 are read as numbers from a file that has no others.
float category_of_number(const ColumnEncoding& column, float value) {
  for (std::size_t c = 0; c < column.categories.size(); ++c) {
    const std::string& name = column.categories[c];
    float number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error == std::errc() && end == name.data() + name.size() && number == value)
      return static_cast<float>(c);
  }
  return -1;
}

std::vector<Place> places_of(const Dataset& dataset, const char* what, std::vector<ColumnInfo> own,
                             const std::vector<ColumnEncoding>& columns,
                             std::vector<std::string>& notes) {
  std::vector<Place> places;
  std::vector<bool> used(own.size());
  for (const ColumnEncoding& column : columns) {
    const auto found = std::find_if(
        own.begin(), own.end(), [&](const ColumnInfo& info) { return info.name == column.name; });
    if (found == own.end())
      fail_encoding(dataset, std::string("there is no ") + what + " column '" + column.name + "'");
    const bool category = column.kind == ColumnKind::kCategory;
    if (!category && found->kind == ColumnKind::kCategory)
      fail_encoding(dataset,
                    std::string(what) + " column '" + column.name + "' has categories such as " +
                        in_quotes(found->categories.empty() ? "" : found->categories.front()) +
                        "; expected " +
                        (column.kind == ColumnKind::kBoolean ? "yes or no" : "numbers"));
    Place place{static_cast<std::size_t>(found - own.begin()), {}};
    if (category) {
      std::vector<std::string> unknown;
      for (const std::string& name : found->categories) {
        const auto known = std::find(column.categories.begin(), column.categories.end(), name);
        if (known == column.categories.end()) unknown.push_back(name);
        place.category.push_back(known == column.categories.end()
                                     ? -1.0F
                                     : static_cast<float>(known - column.categories.begin()));
      }
      if (!unknown.empty())
        notes.push_back("ignored: " + std::to_string(unknown.size()) + " of the categories of " +
                        what + " column '" + column.name + "', such as " +
                        in_quotes(unknown.front()) + ", which the model was not trained on");
    }
    used[place.column] = true;
    places.push_back(std::move(place));
  }
  for (std::size_t c = 0; c < own.size(); ++c) {
    if (!used[c])
      notes.push_back(std::string("ignored: ") + what + " column '" + own[c].name +
                      "', which the model was not trained on");
  }
  return places;
}

std::vector<ColumnInfo> infos(const std::vector<Column>& columns) {
  return {columns.begin(), columns.end()};
}

float encoded_value(const ColumnEncoding& encoding, const ColumnInfo& own, const Place& place,
                    float value) {
  if (encoding.kind == ColumnKind::kCategory && own.kind != ColumnKind::kCategory &&
      value != kMissingCell)
    return category_of_number(encoding, value);
  return place.translated(value);
}

std::string sample_text(const Dataset& dataset, std::int64_t node) {
  if (dataset.task == Task::kNode && !dataset.sample_names.empty())
    return "node " + in_quotes(dataset.sample_names[static_cast<std::size_t>(node)]);
  return "node " + std::to_string(node);
}

[[noreturn]] void fail_missing(const Dataset& dataset, const std::string& what,
                               const std::string& where) {
  throw MissingCell("data set " + printable(dataset.name) + ": " + what +
                    " has a missing cell, of " + where +
                    "; training with missing = mean or indicator fills missing cells in");
}

void check_entries(const Dataset& dataset, const std::string& what, std::int64_t rows,
                   std::int64_t width) {
  constexpr std::int64_t kMaxEntries = std::int64_t{1} << 31;
  if (width > 0 && rows > kMaxEntries / width)
    fail_encoding(dataset, "too many " + what + " and categories for dense rows");
}

DenseRows encoded_nodes(const Dataset& dataset, const ColumnRows& rows,
                        const std::vector<ColumnEncoding>& columns,
                        std::vector<std::string>& notes) {
  const std::vector<Place> places =
      places_of(dataset, "feature", infos(rows.columns), columns, notes);
  DenseRows result{width_of(columns), {}};
  check_entries(dataset, "nodes", dataset.num_nodes(), result.width);
  result.values.assign(static_cast<std::size_t>(dataset.num_nodes() * result.width), 0.0F);
  std::int64_t first = 0;
  for (std::size_t c = 0; c < columns.size(); first += columns[c++].width()) {
    const Column& own = rows.columns[places[c].column];
    for (std::int64_t node = 0; node < dataset.num_nodes(); ++node) {
      const float value =
          encoded_value(columns[c], own, places[c], own.values[static_cast<std::size_t>(node)]);
      if (!encode_cell(columns[c], value, result.values.data() + node * result.width + first))
        fail_missing(dataset, "feature column '" + own.name + "'", sample_text(dataset, node));
    }
  }
  return result;
}

void encode_edges(Dataset& dataset, const std::vector<ColumnEncoding>& columns) {
  const std::vector<ColumnInfo> own = dataset.edge_columns;
  const std::vector<Place> places = places_of(dataset, "edge", own, columns, dataset.notes);
  const std::int64_t width = width_of(columns);
  const DistinctGraphs distinct = distinct_graphs(dataset.graphs);
  std::int64_t num_edges = 0;
  for (const Graph* graph : distinct.graphs) num_edges += graph->num_edges();
  check_entries(dataset, "edges", num_edges, width);
  std::vector<Graph> graphs;
  for (const Graph* graph : distinct.graphs) {
    GraphParts parts = graph->parts();
    const std::vector<float> raw = std::move(parts.edge_rows);
    parts.edge_rows.assign(static_cast<std::size_t>(graph->num_edges() * width), 0.0F);
    parts.edge_row_width = width;
    for (EdgeId s = 0; s < graph->num_edges(); ++s) {
      float* to = parts.edge_rows.data() + s * width;
      for (std::size_t c = 0; c < columns.size(); to += columns[c++].width()) {
        const float value = raw[static_cast<std::size_t>(s) * own.size() + places[c].column];
        if (!encode_cell(columns[c],
                         encoded_value(columns[c], own[places[c].column], places[c], value), to))
          fail_missing(dataset, "edge column '" + columns[c].name + "'",
                       "an edge of graph " + std::to_string(graph - dataset.graphs.data()));
      }
    }
    graphs.push_back(Graph::adopt(std::move(parts)));
  }
  std::vector<Graph> all;
  for (const std::size_t number : distinct.number) all.push_back(graphs[number]);
  dataset.graphs = std::move(all);
  dataset.edge_columns.clear();
  for (const ColumnEncoding& column : columns) {
    for (std::int64_t i = 0; i < column.width(); ++i)
      dataset.edge_columns.push_back({column.name + " " + std::to_string(i)});
  }
}

/// Whether each graph is, or has a node, in the training part.
std::vector<bool> training_graphs(const Dataset& dataset, std::span<const std::int64_t> train) {
  std::vector<bool> result(dataset.graphs.size());
  for (const std::int64_t sample : train) {
    std::int64_t graph = sample;
    if (dataset.task == Task::kNode) {
      const auto& offsets = dataset.node_offsets;
      graph = std::upper_bound(offsets.begin(), offsets.end(), sample) - offsets.begin() - 1;
    }
    result[static_cast<std::size_t>(graph)] = true;
  }
  return result;
}

bool any_missing(const Dataset& dataset, std::size_t edge_column) {
  const std::size_t width = dataset.edge_columns.size();
  for (const Graph& graph : dataset.graphs) {
    for (std::size_t i = edge_column; i < graph.edge_rows().size(); i += width) {
      if (graph.edge_rows()[i] == kMissingCell) return true;
    }
  }
  return false;
}

bool any_missing(const Column& column) {
  return std::find(column.values.begin(), column.values.end(), kMissingCell) != column.values.end();
}

void fit_nodes(const Dataset& dataset, std::span<const std::int64_t> train,
               const EncodingOptions& options, Encoding& encoding) {
  const auto* rows = std::get_if<ColumnRows>(&dataset.features);
  if (rows == nullptr) return;
  for (const Column& column : rows->columns) {
    const Cells cells = [&](const std::function<void(float)>& visit) {
      for (const std::int64_t sample : train) {
        const bool node = dataset.task == Task::kNode;
        const std::int64_t begin =
            node ? sample : dataset.node_offsets[static_cast<std::size_t>(sample)];
        const std::int64_t end =
            node ? sample + 1 : dataset.node_offsets[static_cast<std::size_t>(sample) + 1];
        for (std::int64_t n = begin; n < end; ++n)
          visit(column.values[static_cast<std::size_t>(n)]);
      }
    };
    encoding.nodes.push_back(fit_column(column, cells, any_missing(column), options));
  }
}

void fit_edges(const Dataset& dataset, std::span<const std::int64_t> train,
               const EncodingOptions& options, Encoding& encoding) {
  const std::vector<bool> in_training = training_graphs(dataset, train);
  const std::size_t width = dataset.edge_columns.size();
  for (std::size_t c = 0; c < width; ++c) {
    const Cells cells = [&](const std::function<void(float)>& visit) {
      for (std::size_t g = 0; g < dataset.graphs.size(); ++g) {
        const std::span<const float> rows = dataset.graphs[g].edge_rows();
        for (std::size_t i = c; in_training[g] && i < rows.size(); i += width) visit(rows[i]);
      }
    };
    encoding.edges.push_back(
        fit_column(dataset.edge_columns[c], cells, any_missing(dataset, c), options));
  }
}

}  // namespace

std::int64_t encoded_node_width(const Dataset& dataset, Missing missing) {
  const auto* rows = std::get_if<ColumnRows>(&dataset.features);
  Encoding encoding;
  fit_nodes(dataset, {}, {.missing = missing}, encoding);
  return rows == nullptr ? dataset.num_features() : width_of(encoding.nodes);
}

std::int64_t encoded_edge_width(const Dataset& dataset, Missing missing) {
  Encoding encoding;
  fit_edges(dataset, {}, {.missing = missing}, encoding);
  return width_of(encoding.edges);
}

Encoding fit_encoding(const Dataset& dataset, std::span<const std::int64_t> train,
                      const EncodingOptions& options) {
  Encoding encoding;
  fit_nodes(dataset, train, options, encoding);
  fit_edges(dataset, train, options, encoding);
  if (!options.standardise || dataset.target_kind != TargetKind::kRegression) return encoding;
  for (std::int64_t task = 0; task < dataset.num_tasks; ++task) {
    Moments moments;
    for (const std::int64_t sample : train) {
      const float target =
          dataset.targets[static_cast<std::size_t>(sample * dataset.num_tasks + task)];
      if (!std::isnan(target)) moments.add(target);
    }
    encoding.targets.push_back(moments.standard());
  }
  return encoding;
}

Dataset encoded(const Dataset& dataset, const Encoding& encoding) {
  Dataset result = dataset;
  if (encoding.targets.size() == static_cast<std::size_t>(dataset.num_tasks))
    result.target_standards = encoding.targets;
  if (const auto* rows = std::get_if<ColumnRows>(&dataset.features))
    result.features = encoded_nodes(dataset, *rows, encoding.nodes, result.notes);
  if (!encoding.edges.empty()) encode_edges(result, encoding.edges);
  return result;
}

}  // namespace hgnet
