#include "data/features.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace hgnet {

SparseMatrix one_hot(std::span<const NodeId> columns, std::int64_t width) {
  std::vector<EdgeId> offsets(columns.size() + 1);
  std::iota(offsets.begin(), offsets.end(), EdgeId{0});
  return {width, std::move(offsets), std::vector<NodeId>(columns.begin(), columns.end()),
          std::vector<float>(columns.size(), 1.0F)};
}

SparseMatrix one_hot_degrees(const std::vector<Graph>& graphs) {
  std::vector<NodeId> degrees;
  for (const Graph& graph : graphs) {
    for (NodeId v = 0; v < graph.num_nodes(); ++v) {
      const bool has_loop = graph.num_self_loops() > 0 && graph.has_edge(v, v);
      degrees.push_back(static_cast<NodeId>(graph.degree(v)) - (has_loop ? 1 : 0));
    }
  }
  const auto largest = std::max_element(degrees.begin(), degrees.end());
  return one_hot(degrees, largest == degrees.end() ? 0 : *largest + 1);
}

Classes classes_of(std::span<const std::int64_t> labels) {
  std::vector<std::int64_t> values(labels.begin(), labels.end());
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  Classes classes;
  for (const std::int64_t value : values) classes.names.push_back(std::to_string(value));
  for (const std::int64_t label : labels) {
    const auto place = std::lower_bound(values.begin(), values.end(), label);
    classes.ids.push_back(static_cast<std::int32_t>(place - values.begin()));
  }
  return classes;
}

std::int64_t repeated_otherwise(const Graph& graph, const EdgeList& list, Compare what) {
  const bool weights = what == Compare::kWeightsAndRows && !list.weight.empty();
  if (!weights && list.rows.empty()) return 0;
  std::int64_t count = 0;
  for (std::size_t i = 0; i < list.source.size(); ++i) {
    const auto v = static_cast<NodeId>(list.source[i]);
    const auto row = graph.neighbours(v);
    const auto place =
        std::lower_bound(row.begin(), row.end(), static_cast<NodeId>(list.target[i]));
    const EdgeId slot = graph.offsets()[v] + (place - row.begin());
    const float* kept = graph.edge_rows().data() + slot * list.row_width;
    const float* own = list.rows.data() + static_cast<std::int64_t>(i) * list.row_width;
    const bool other_weight = weights && graph.weights()[slot] != list.weight[i];
    if (other_weight || !std::equal(own, own + list.row_width, kept)) ++count;
  }
  return count;
}

std::string repeated_note(std::int64_t count, Compare what) {
  return std::to_string(count) + " edges are listed again with " +
         (what == Compare::kRows ? "" : "another weight or ") +
         "other features; the first of each counts";
}

}  // namespace hgnet
