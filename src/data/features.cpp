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

}  // namespace hgnet
