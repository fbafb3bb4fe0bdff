#include "hgnet/data/column_statistics.hpp"

#include <algorithm>
#include <cmath>

namespace hgnet {
namespace {

/// Takes cells one by one.
class ColumnCounter {
 public:
  explicit ColumnCounter(const ColumnInfo& info) : result_{info} {
    result_.counts.resize(info.categories.size());
  }

  void add(float value) {
    ++result_.cells;
    if (value == kMissingCell || std::isnan(value)) {
      ++result_.missing;
    } else if (result_.kind == ColumnKind::kCategory) {
      ++result_.counts[static_cast<std::size_t>(value)];
    } else {
      const double number = value;
      const bool first = ++count_ == 1;
      result_.low = first ? number : std::min(result_.low, number);
      result_.high = first ? number : std::max(result_.high, number);
      const double off = number - result_.mean;
      result_.mean += off / static_cast<double>(count_);
      squares_ += off * (number - result_.mean);
    }
  }

  ColumnStatistics finish() {
    if (count_ > 0) result_.deviation = std::sqrt(squares_ / static_cast<double>(count_));
    return result_;
  }

 private:
  ColumnStatistics result_;
  std::int64_t count_ = 0;
  double squares_ = 0;
};

/// Calls visit(graph, slot) once for every edge.
template <class Visit>
void for_each_edge(const Dataset& dataset, const Visit& visit) {
  for (const Graph& graph : dataset.graphs) {
    for (NodeId v = 0; v < graph.num_nodes(); ++v) {
      for (EdgeId s = graph.offsets()[v]; s < graph.offsets()[v + 1]; ++s) {
        if (graph.columns()[s] <= v) visit(graph, static_cast<std::size_t>(s));
      }
    }
  }
}

}  // namespace

std::vector<ColumnStatistics> node_statistics(const Dataset& dataset) {
  std::vector<ColumnStatistics> result;
  const auto* rows = std::get_if<ColumnRows>(&dataset.features);
  if (rows == nullptr) return result;
  for (const Column& column : rows->columns) {
    ColumnCounter counter(column);
    for (const float value : column.values) counter.add(value);
    result.push_back(counter.finish());
  }
  return result;
}

std::vector<ColumnStatistics> edge_statistics(const Dataset& dataset) {
  std::vector<ColumnStatistics> result;
  const auto weighted = [](const Graph& graph) { return graph.has_weights(); };
  if (std::any_of(dataset.graphs.begin(), dataset.graphs.end(), weighted)) {
    ColumnCounter counter(ColumnInfo{"weight"});
    for_each_edge(dataset, [&](const Graph& graph, std::size_t slot) {
      counter.add(graph.has_weights() ? graph.weights()[slot] : 1.0F);
    });
    result.push_back(counter.finish());
  }
  const std::size_t width = dataset.edge_columns.size();
  for (std::size_t c = 0; c < width; ++c) {
    ColumnCounter counter(dataset.edge_columns[c]);
    for_each_edge(dataset, [&](const Graph& graph, std::size_t slot) {
      counter.add(graph.edge_rows()[slot * width + c]);
    });
    result.push_back(counter.finish());
  }
  return result;
}

std::vector<ColumnStatistics> target_statistics(const Dataset& dataset) {
  std::vector<ColumnStatistics> result;
  if (dataset.target_kind != TargetKind::kRegression) return result;
  const auto tasks = static_cast<std::size_t>(dataset.num_tasks);
  for (std::size_t t = 0; t < tasks; ++t) {
    ColumnCounter counter(
        ColumnInfo{dataset.target_names.empty() ? std::to_string(t) : dataset.target_names[t]});
    for (std::size_t i = t; i < dataset.targets.size(); i += tasks) counter.add(dataset.targets[i]);
    result.push_back(counter.finish());
  }
  return result;
}

}  // namespace hgnet
