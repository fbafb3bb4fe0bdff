#include "hgnet/graph/graph.hpp"

#include <algorithm>
#include <utility>

#include "graph/storage.hpp"

namespace hgnet {
namespace {

EdgeId count_self_loops(std::span<const EdgeId> offsets, std::span<const NodeId> columns) {
  EdgeId loops = 0;
  const auto num_nodes = static_cast<NodeId>(offsets.size() - 1);
  for (NodeId v = 0; v < num_nodes; ++v) {
    for (EdgeId s = offsets[v]; s < offsets[v + 1]; ++s) loops += columns[s] == v;
  }
  return loops;
}

template <class T>
std::vector<T> copy(std::span<const T> values) {
  return {values.begin(), values.end()};
}

/// Rows are visited in order and each row lists its neighbours in order, so the slots of v -> u
/// occur in row u one after the other: a cursor per row finds them without searching.
std::vector<EdgeId> reverse_slots(const CsrView& csr) {
  std::vector<EdgeId> cursor(csr.offsets.begin(), csr.offsets.end() - 1);
  std::vector<EdgeId> reverse(csr.columns.size());
  for (EdgeId s = 0; s < csr.num_slots(); ++s) reverse[s] = cursor[csr.columns[s]]++;
  return reverse;
}

}  // namespace

Graph::Storage::Storage(GraphParts parts, EdgeId self_loops) : num_self_loops(self_loops) {
  const auto kept = std::make_shared<const GraphParts>(std::move(parts));
  data = {kept->offsets,   kept->columns,        kept->weights,
          kept->edge_rows, kept->edge_row_width, kept->outside};
  owner = kept;
}

Graph::Storage::Storage(const GraphView& view, std::shared_ptr<const void> memory)
    : data(view),
      owner(std::move(memory)),
      num_self_loops(count_self_loops(view.offsets, view.columns)) {}

Graph::Graph() : Graph(adopt({})) {}

Graph::Graph(std::shared_ptr<const Storage> storage) : storage_(std::move(storage)) {}

Graph Graph::adopt(GraphParts parts) {
  const EdgeId self_loops = count_self_loops(parts.offsets, parts.columns);
  return Graph(std::make_shared<Storage>(std::move(parts), self_loops));
}

GraphParts Graph::parts() const {
  const GraphView& data = storage_->data;
  return {copy(data.offsets),   copy(data.columns),  copy(data.weights),
          copy(data.edge_rows), data.edge_row_width, copy(data.outside)};
}

NodeId Graph::num_nodes() const { return static_cast<NodeId>(storage_->data.offsets.size() - 1); }

EdgeId Graph::num_edges() const { return static_cast<EdgeId>(storage_->data.columns.size()); }

EdgeId Graph::num_self_loops() const { return storage_->num_self_loops; }

CsrView Graph::csr() const { return {storage_->data.offsets, storage_->data.columns, num_nodes()}; }

std::span<const NodeId> Graph::neighbours(NodeId node) const {
  const std::span<const EdgeId> offsets = storage_->data.offsets;
  return columns().subspan(offsets[node], offsets[node + 1] - offsets[node]);
}

EdgeId Graph::degree(NodeId node) const {
  return storage_->data.offsets[node + 1] - storage_->data.offsets[node];
}

bool Graph::has_edge(NodeId source, NodeId target) const {
  const auto row = neighbours(target);
  return std::binary_search(row.begin(), row.end(), source);
}

std::span<const float> Graph::weights() const { return storage_->data.weights; }

std::span<const float> Graph::edge_rows() const { return storage_->data.edge_rows; }

std::int64_t Graph::edge_row_width() const { return storage_->data.edge_row_width; }

std::span<const float> Graph::outside() const { return storage_->data.outside; }

std::span<const EdgeId> Graph::reverse() const {
  return storage_->reverse.get([this] { return reverse_slots(csr()); });
}

const GcnNormalisation& Graph::gcn_normalisation(SelfLoopFill fill) const {
  return storage_->gcn[static_cast<std::size_t>(fill)].get([this, fill] {
    if (has_weights()) check_degrees(csr(), weights(), outside(), fill);
    GcnNormalisation result;
    result.values.resize(columns().size());
    result.diagonal.resize(offsets().size() - 1);
    std::vector<float> scale(result.diagonal.size());
    gcn_normalise(csr(), has_weights() ? weights().data() : nullptr, outside(), fill, scale.data(),
                  result.values.data(), result.diagonal.data(), 1);
    return result;
  });
}

}  // namespace hgnet
