#include "hgnet/data/statistics.hpp"

#include <algorithm>
#include <cmath>

#include "data/distinct_graphs.hpp"

namespace hgnet {
namespace {

std::vector<LabelCounts> count_labels(const Dataset& dataset) {
  if (dataset.target_kind == TargetKind::kRegression) return {};
  if (dataset.target_kind == TargetKind::kClasses) {
    LabelCounts counts{std::vector<std::int64_t>(dataset.class_names.size())};
    for (const std::int32_t c : dataset.classes) {
      ++(c == kUnlabelled ? counts.unlabelled : counts.by_label[c]);
    }
    return {counts};
  }
  std::vector<LabelCounts> tasks(dataset.num_tasks, LabelCounts{std::vector<std::int64_t>(2)});
  for (std::size_t i = 0; i < dataset.targets.size(); ++i) {
    LabelCounts& counts = tasks[i % tasks.size()];
    const float target = dataset.targets[i];
    ++(std::isnan(target) ? counts.unlabelled : counts.by_label[target == 1.0F]);
  }
  return tasks;
}

std::optional<double> homophily(const Dataset& dataset) {
  if (dataset.task != Task::kNode || dataset.target_kind != TargetKind::kClasses) return {};
  std::int64_t labelled = 0;
  std::int64_t equal = 0;
  for (std::size_t g = 0; g < dataset.graphs.size(); ++g) {
    const std::int32_t* classes = dataset.classes.data() + dataset.node_offsets[g];
    for (NodeId v = 0; v < dataset.graphs[g].num_nodes(); ++v) {
      for (const NodeId u : dataset.graphs[g].neighbours(v)) {
        if (u >= v || classes[u] == kUnlabelled || classes[v] == kUnlabelled) continue;
        ++labelled;
        equal += classes[u] == classes[v];
      }
    }
  }
  if (labelled == 0) return {};
  return static_cast<double>(equal) / static_cast<double>(labelled);
}

}  // namespace

DatasetStatistics statistics(const Dataset& dataset) {
  DatasetStatistics result;
  result.graphs = dataset.num_graphs();
  result.nodes = dataset.num_nodes();
  const DistinctGraphs distinct = distinct_graphs(dataset.graphs);
  std::vector<std::int64_t> copies(distinct.graphs.size());
  for (const std::size_t number : distinct.number) ++copies[number];
  for (std::size_t i = 0; i < distinct.graphs.size(); ++i) {
    const Graph& graph = *distinct.graphs[i];
    result.edges += copies[i] * graph.num_undirected_edges();
    result.self_loops += copies[i] * graph.num_self_loops();
    for (NodeId v = 0; v < graph.num_nodes(); ++v) {
      result.max_degree = std::max(result.max_degree, graph.degree(v));
      if (graph.degree(v) == 0) result.isolated_nodes += copies[i];
    }
    const Bounds here = diameter(graph);
    result.diameter.low = std::max(result.diameter.low, here.low);
    result.diameter.high = std::max(result.diameter.high, here.high);
  }
  result.labels = count_labels(dataset);
  result.homophily = homophily(dataset);
  return result;
}

}  // namespace hgnet
