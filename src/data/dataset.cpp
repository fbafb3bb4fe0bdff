#include "hgnet/data/dataset.hpp"

#include <algorithm>
#include <cmath>

#include "hgnet/core/error.hpp"

namespace hgnet {
namespace {

std::string text(std::int64_t number) { return std::to_string(number); }

void expect(bool holds, const Dataset& dataset, const std::string& what) {
  if (!holds) throw InvalidDataset("data set " + dataset.name + ": " + what);
}

void check_length(const Dataset& dataset, const char* what, std::size_t got,
                  std::int64_t expected) {
  expect(static_cast<std::int64_t>(got) == expected, dataset,
         text(static_cast<std::int64_t>(got)) + " " + what + ", expected " + text(expected));
}

void check_graphs(const Dataset& dataset) {
  check_length(dataset, "node offsets", dataset.node_offsets.size(), dataset.num_graphs() + 1);
  expect(dataset.node_offsets.front() == 0, dataset, "node offsets do not start at 0");
  const std::vector<std::int32_t>& sizes = dataset.edge_categories;
  for (std::size_t g = 0; g < dataset.graphs.size(); ++g) {
    const Graph& graph = dataset.graphs[g];
    const std::string name = "graph " + text(static_cast<std::int64_t>(g));
    expect(dataset.node_offsets[g + 1] - dataset.node_offsets[g] == graph.num_nodes(), dataset,
           name + " has " + text(graph.num_nodes()) + " nodes, by the offsets it has " +
               text(dataset.node_offsets[g + 1] - dataset.node_offsets[g]));
    expect(graph.edge_row_width() == dataset.graphs.front().edge_row_width(), dataset,
           name + " has edge rows of another width than the first");
    if (sizes.empty()) continue;
    check_length(dataset, "edge columns", sizes.size(), graph.edge_row_width());
    const std::span<const float> rows = graph.edge_rows();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool category = rows[i] >= 0 && rows[i] < static_cast<float>(sizes[i % sizes.size()]) &&
                            rows[i] == std::floor(rows[i]);
      expect(category, dataset,
             name + ": an edge row has no category in column " +
                 text(static_cast<std::int64_t>(i % sizes.size())));
    }
  }
}

void check_finite(const Dataset& dataset, std::span<const float> values) {
  const bool finite =
      std::all_of(values.begin(), values.end(), [](float x) { return std::isfinite(x); });
  expect(finite, dataset, "some feature is not a finite number");
}

void check_rows(const Dataset& dataset, const DenseRows& rows) {
  expect(rows.width >= 0, dataset, "the width of the features is negative");
  check_length(dataset, "feature entries", rows.values.size(), rows.width * dataset.num_nodes());
  check_finite(dataset, rows.values);
}

void check_rows(const Dataset& dataset, const SparseMatrix& rows) {
  check_length(dataset, "feature rows", static_cast<std::size_t>(rows.num_rows()),
               dataset.num_nodes());
  check_finite(dataset, rows.values());
}

void check_rows(const Dataset& dataset, const CategoricalRows& rows) {
  const std::size_t width = rows.sizes.size();
  check_length(dataset, "feature entries", rows.values.size(),
               static_cast<std::int64_t>(width) * dataset.num_nodes());
  for (std::size_t i = 0; i < rows.values.size(); ++i) {
    const std::size_t column = i % width;
    expect(rows.values[i] >= 0 && rows.values[i] < rows.sizes[column], dataset,
           "node " + text(static_cast<std::int64_t>(i / width)) + ": category " +
               text(rows.values[i]) + " in column " + text(static_cast<std::int64_t>(column)) +
               ", which has " + text(rows.sizes[column]));
  }
}

void check_targets(const Dataset& dataset) {
  if (dataset.target_kind == TargetKind::kClasses) {
    check_length(dataset, "classes", dataset.classes.size(), dataset.num_samples());
    for (std::size_t i = 0; i < dataset.classes.size(); ++i) {
      const std::int32_t c = dataset.classes[i];
      expect(c == kUnlabelled || (c >= 0 && c < dataset.num_classes()), dataset,
             "sample " + text(static_cast<std::int64_t>(i)) + " has class " + text(c) + " of " +
                 text(dataset.num_classes()));
    }
    return;
  }
  expect(dataset.num_tasks > 0, dataset, "no tasks");
  check_length(dataset, "targets", dataset.targets.size(),
               dataset.num_tasks * dataset.num_samples());
  for (std::size_t i = 0; i < dataset.targets.size(); ++i) {
    const float value = dataset.targets[i];
    const bool right = dataset.target_kind == TargetKind::kMultiLabel
                           ? value == 0.0F || value == 1.0F || std::isnan(value)
                           : !std::isinf(value);
    expect(right, dataset,
           "sample " + text(static_cast<std::int64_t>(i) / dataset.num_tasks) + " has the target " +
               std::to_string(value));
  }
}

void check_split(const Dataset& dataset, const std::string& name, const Split& split) {
  std::vector<bool> taken(dataset.num_samples());
  for (const auto* part : {&split.train, &split.val, &split.test}) {
    std::int64_t previous = -1;
    for (const std::int64_t sample : *part) {
      const std::string which = "split " + name + ": sample " + text(sample);
      expect(sample >= 0 && sample < dataset.num_samples(), dataset, which + " does not exist");
      expect(sample > previous, dataset, which + " is not in ascending order");
      expect(!taken[sample], dataset, which + " is in two parts");
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
  };
  return std::visit(Width(), features);
}

void validate(const Dataset& dataset) {
  check_graphs(dataset);
  std::visit([&](const auto& rows) { check_rows(dataset, rows); }, dataset.features);
  check_targets(dataset);
  for (const auto& [name, split] : dataset.splits) check_split(dataset, name, split);
}

}  // namespace hgnet
