#include "stock.hpp"

#include <vector>

namespace hgnet::stock {
namespace {

using torch::Tensor;

template <class Ids>
Tensor as_long(const Ids& ids) {
  return torch::tensor(std::vector<std::int64_t>(ids.begin(), ids.end()), torch::kLong);
}

}  // namespace

Edges::Edges(const Graph& graph) : num_nodes(graph.num_nodes()), source(as_long(graph.columns())) {
  std::vector<std::int64_t> rows;
  rows.reserve(graph.num_edges());
  for (NodeId v = 0; v < graph.num_nodes(); ++v) rows.resize(graph.offsets()[v + 1], v);
  target = as_long(rows);
}

Tensor index(const ParentMap& map) { return as_long(map.parents()); }

Tensor sparse_csr(const Graph& graph, const Tensor& values) {
  const std::int64_t n = graph.num_nodes();
  return torch::sparse_csr_tensor(as_long(graph.offsets()), as_long(graph.columns()), values,
                                  {n, n}, values.options().layout(torch::kSparseCsr));
}

Tensor spmm(const Edges& edges, const Tensor& values, const Tensor& x) {
  Tensor messages = x.index_select(0, edges.source);
  if (values.defined()) messages = messages * values.unsqueeze(1);
  return segment_sum(messages, edges.target, edges.num_nodes);
}

Tensor segment_sum(const Tensor& x, const Tensor& index, std::int64_t num_parents) {
  std::vector<std::int64_t> shape = x.sizes().vec();
  shape[0] = num_parents;
  return torch::zeros(shape, x.options()).index_add(0, index, x);
}

Tensor segment_mean(const Tensor& x, const Tensor& index, std::int64_t num_parents) {
  const Tensor count = segment_sum(torch::ones({x.size(0), 1}, x.options()), index, num_parents);
  return segment_sum(x, index, num_parents) / count.clamp_min(1);
}

Tensor segment_max(const Tensor& x, const Tensor& index, std::int64_t num_parents) {
  std::vector<std::int64_t> shape = x.sizes().vec();
  shape[0] = num_parents;
  const Tensor where = x.dim() == 1 ? index : index.unsqueeze(1).expand_as(x);
  return torch::zeros(shape, x.options()).scatter_reduce(0, where, x, "amax", false);
}

Tensor gather(const Tensor& x, const Tensor& index) { return x.index_select(0, index); }

Tensor segment_softmax(const Tensor& logits, const Tensor& index, std::int64_t num_parents) {
  const Tensor largest = segment_max(logits.detach(), index, num_parents).index_select(0, index);
  const Tensor e = (logits - largest).exp();
  return e / segment_sum(e, index, num_parents).index_select(0, index);
}

Tensor edge_score(const Edges& edges, const Tensor& x, const Tensor& weight, const Tensor& bias) {
  const Tensor both =
      torch::cat({x.index_select(0, edges.source), x.index_select(0, edges.target)}, 1);
  const Tensor raw = (both.matmul(weight.t()) + bias).squeeze(1);
  return 0.5 + segment_softmax(raw, edges.target, edges.num_nodes);
}

Tensor attention(const Edges& edges_and_loops, const Tensor& x, const Tensor& source,
                 const Tensor& target) {
  const Tensor logits = torch::leaky_relu(source.index_select(0, edges_and_loops.source) +
                                              target.index_select(0, edges_and_loops.target),
                                          0.2);
  const Tensor alpha =
      segment_softmax(logits, edges_and_loops.target, edges_and_loops.num_nodes).unsqueeze(-1);
  const Tensor messages = alpha * x.index_select(0, edges_and_loops.source);
  return segment_sum(messages, edges_and_loops.target, edges_and_loops.num_nodes);
}

std::vector<Tensor> gcn_norm(const Edges& edges, const Tensor& weights) {
  const Tensor degree = segment_sum(weights, edges.target, edges.num_nodes) + 1;
  const Tensor scale = degree.pow(-0.5);
  return {scale.index_select(0, edges.source) * weights * scale.index_select(0, edges.target),
          scale * scale};
}

}  // namespace hgnet::stock
