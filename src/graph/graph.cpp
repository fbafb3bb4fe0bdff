#include "hgnet/graph/graph.hpp"

#include <algorithm>
#include <utility>

#include "graph/storage.hpp"

namespace hgnet {
namespace {

EdgeId count_self_loops(const CsrView& csr) {
  EdgeId loops = 0;
  for (NodeId v = 0; v < csr.num_rows(); ++v) {
    for (EdgeId s = csr.offsets[v]; s < csr.offsets[v + 1]; ++s) loops += csr.columns[s] == v;
  }
  return loops;
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

Graph::Graph() : Graph(adopt({})) {}

Graph::Graph(std::shared_ptr<const Storage> storage) : storage_(std::move(storage)) {}

Graph Graph::adopt(GraphParts parts) {
  auto storage = std::make_shared<Storage>();
  storage->num_self_loops = count_self_loops({parts.offsets, parts.columns, 0});
  storage->parts = std::move(parts);
  return Graph(std::move(storage));
}

const GraphParts& Graph::parts() const { return storage_->parts; }

NodeId Graph::num_nodes() const { return static_cast<NodeId>(storage_->parts.offsets.size() - 1); }

EdgeId Graph::num_edges() const { return static_cast<EdgeId>(storage_->parts.columns.size()); }

EdgeId Graph::num_self_loops() const { return storage_->num_self_loops; }

CsrView Graph::csr() const {
  return {storage_->parts.offsets, storage_->parts.columns, num_nodes()};
}

std::span<const NodeId> Graph::neighbours(NodeId node) const {
  const std::vector<EdgeId>& offsets = storage_->parts.offsets;
  return columns().subspan(offsets[node], offsets[node + 1] - offsets[node]);
}

EdgeId Graph::degree(NodeId node) const {
  return storage_->parts.offsets[node + 1] - storage_->parts.offsets[node];
}

bool Graph::has_edge(NodeId source, NodeId target) const {
  const auto row = neighbours(target);
  return std::binary_search(row.begin(), row.end(), source);
}

std::span<const float> Graph::weights() const { return storage_->parts.weights; }

std::span<const float> Graph::edge_rows() const { return storage_->parts.edge_rows; }

std::int64_t Graph::edge_row_width() const { return storage_->parts.edge_row_width; }

std::span<const EdgeId> Graph::reverse() const {
  return storage_->reverse.get([this] { return reverse_slots(csr()); });
}

const GcnNormalisation& Graph::gcn_normalisation(SelfLoopFill fill) const {
  return storage_->gcn[static_cast<std::size_t>(fill)].get([this, fill] {
    if (has_weights()) check_degrees(csr(), weights(), fill);
    GcnNormalisation result;
    result.values.resize(storage_->parts.columns.size());
    result.diagonal.resize(storage_->parts.offsets.size() - 1);
    std::vector<float> scale(result.diagonal.size());
    gcn_normalise(csr(), has_weights() ? weights().data() : nullptr, fill, scale.data(),
                  result.values.data(), result.diagonal.data(), 1);
    return result;
  });
}

}  // namespace hgnet
