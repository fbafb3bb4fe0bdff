#include "support/samples.hpp"

#include <cmath>

#include "hgnet/core/random.hpp"

namespace hgnet::test {
namespace {

Graph ring(int nodes) {
  EdgeList edges;
  for (int v = 0; v < nodes; ++v) {
    edges.source.push_back(v);
    edges.target.push_back((v + 1) % nodes);
  }
  return Graph::from_edges(nodes, edges);
}

Graph star(int nodes) {
  EdgeList edges;
  for (int v = 1; v < nodes; ++v) {
    edges.source.push_back(0);
    edges.target.push_back(v);
  }
  return Graph::from_edges(nodes, edges);
}

constexpr int kWidth = 12;

/// Graphs and one-hot degrees, no targets.
Dataset graphs_only(int count) {
  Dataset dataset;
  dataset.name = "rings-and-stars";
  dataset.task = Task::kGraph;
  std::vector<EdgeId> offsets{0};
  std::vector<NodeId> columns;
  for (int g = 0; g < count; ++g) {
    const int nodes = 6 + g / 2 % 7;
    dataset.graphs.push_back(g % 2 == 0 ? ring(nodes) : star(nodes));
    dataset.node_offsets.push_back(dataset.node_offsets.back() + nodes);
    for (NodeId v = 0; v < nodes; ++v) {
      columns.push_back(static_cast<NodeId>(dataset.graphs.back().degree(v)));
      offsets.push_back(static_cast<EdgeId>(columns.size()));
    }
  }
  std::vector<float> ones(columns.size(), 1.0F);
  dataset.features = SparseMatrix(kWidth, offsets, columns, ones);
  return dataset;
}

}  // namespace

Dataset rings_and_stars(int count) {
  Dataset dataset = graphs_only(count);
  for (int g = 0; g < count; ++g) dataset.classes.push_back(g % 2);
  dataset.class_names = {"ring", "star"};
  validate(dataset);
  return dataset;
}

Dataset multi_label_graphs(int count) {
  Dataset dataset = graphs_only(count);
  dataset.target_kind = TargetKind::kMultiLabel;
  dataset.num_tasks = 2;
  for (int g = 0; g < count; ++g) {
    dataset.targets.push_back(g % 2 == 0 ? 1.0F : 0.0F);
    dataset.targets.push_back(g % 2 == 1 && dataset.graphs[g].num_nodes() > 8 ? 1.0F : 0.0F);
  }
  for (std::size_t i = 0; i < dataset.targets.size(); i += 5) dataset.targets[i] = NAN;
  validate(dataset);
  return dataset;
}

Dataset regression_graphs(int count) {
  Dataset dataset = graphs_only(count);
  dataset.target_kind = TargetKind::kRegression;
  dataset.num_tasks = 1;
  DenseRows rows{2, {}};
  for (int g = 0; g < count; ++g) {
    const Graph& graph = dataset.graphs[g];
    EdgeId largest = 0;
    for (NodeId v = 0; v < graph.num_nodes(); ++v) largest = std::max(largest, graph.degree(v));
    dataset.targets.push_back(static_cast<float>(largest) / 10);
    for (NodeId v = 0; v < graph.num_nodes(); ++v) {
      rows.values.push_back(1.0F);
      rows.values.push_back(static_cast<float>(graph.degree(v)));
    }
  }
  dataset.features = std::move(rows);
  validate(dataset);
  return dataset;
}

Dataset communities() {
  constexpr int kSize = 20;
  constexpr int kCount = 3;
  Generator generator(3);
  Dataset dataset;
  dataset.name = "communities";
  EdgeList edges;
  DenseRows rows{kCount, {}};
  for (int v = 0; v < kSize * kCount; ++v) {
    for (int u = 0; u < v; ++u) {
      if (generator.uniform() < (u / kSize == v / kSize ? 0.3 : 0.02)) {
        edges.source.push_back(u);
        edges.target.push_back(v);
      }
    }
    const int own = v / kSize;
    for (int c = 0; c < kCount; ++c)
      rows.values.push_back(static_cast<float>(generator.uniform() + (c == own ? 0.3 : 0.0)));
    dataset.classes.push_back(own);
    auto& part = v % kSize < 5    ? dataset.splits["own"].train
                 : v % kSize < 10 ? dataset.splits["own"].val
                                  : dataset.splits["own"].test;
    part.push_back(v);
  }
  dataset.graphs = {Graph::from_edges(kSize * kCount, edges)};
  dataset.node_offsets = {0, kSize * kCount};
  dataset.features = std::move(rows);
  dataset.class_names = {"a", "b", "c"};
  validate(dataset);
  return dataset;
}

}  // namespace hgnet::test
