#include "naive.hpp"

#include <vector>

namespace hgnet::naive {
namespace {

using torch::Tensor;

template <class T>
Tensor as_index(const std::vector<T>& ids) {
  return torch::tensor(std::vector<std::int64_t>(ids.begin(), ids.end()), torch::kLong);
}

/// Row number of every slot.
std::vector<std::int64_t> rows_of(const CsrView& csr) {
  std::vector<std::int64_t> rows;
  for (std::int64_t r = 0; r < csr.num_rows(); ++r) rows.resize(csr.offsets[r + 1], r);
  return rows;
}

Tensor dense(const CsrView& csr, const Tensor& values) {
  const Tensor columns =
      as_index(std::vector<std::int64_t>(csr.columns.begin(), csr.columns.end()));
  return torch::zeros({csr.num_rows(), csr.num_columns}, values.options())
      .index_put({as_index(rows_of(csr)), columns}, values);
}

/// [num_parents, num_children], 1 where the child belongs to the parent.
Tensor membership(const ParentMap& map, torch::ScalarType type) {
  return dense(map.members(), torch::ones({map.members().num_slots()}, type));
}

}  // namespace

Tensor dense(const Graph& graph, const Tensor& values) { return dense(graph.csr(), values); }

Tensor dense(const SparseMatrix& matrix, const Tensor& values) {
  return dense(matrix.csr(), values);
}

Tensor spmm(const SparseOperator& m, const Tensor& x) {
  const Tensor values =
      m.values.defined() ? m.values : torch::ones({m.graph.num_edges()}, x.options());
  Tensor matrix = dense(m.graph, values);
  if (m.diagonal.defined()) matrix = matrix + m.diagonal.diag();
  return matrix.matmul(x);
}

Tensor spmm(const SparseMatrix& m, const Tensor& x, const Tensor& values) {
  return dense(m, values).matmul(x);
}

Tensor gcn_matrix(const Graph& graph, const Tensor& weights, double fill) {
  Tensor missing = torch::full({graph.num_nodes()}, fill, weights.options());
  for (NodeId v = 0; v < graph.num_nodes(); ++v) {
    if (graph.has_edge(v, v)) missing[v] = 0;
  }
  const Tensor a = dense(graph, weights) + missing.diag();
  const Tensor scale = a.sum(1).pow(-0.5);
  return scale.unsqueeze(1) * a * scale.unsqueeze(0);
}

Tensor segment_sum(const Tensor& x, const ParentMap& map) {
  return membership(map, x.scalar_type()).matmul(x);
}

Tensor segment_mean(const Tensor& x, const ParentMap& map) {
  const Tensor m = membership(map, x.scalar_type());
  return (m / m.sum(1, true).clamp_min(1)).matmul(x);
}

Tensor segment_max(const Tensor& x, const ParentMap& map) {
  std::vector<Tensor> rows;
  for (NodeId p = 0; p < map.num_parents(); ++p) {
    const auto members = map.members(p);
    const Tensor index = as_index(std::vector<NodeId>(members.begin(), members.end()));
    rows.push_back(members.empty() ? torch::zeros({x.size(1)}, x.options())
                                   : std::get<0>(x.index_select(0, index).max(0)));
  }
  return rows.empty() ? torch::zeros({0, x.size(1)}, x.options()) : torch::stack(rows);
}

Tensor gather(const Tensor& x, const ParentMap& map) {
  return membership(map, x.scalar_type()).t().matmul(x);
}

Tensor segment_softmax(const Graph& graph, const Tensor& logits) {
  std::vector<Tensor> rows{logits.slice(0, 0, 0)};
  for (NodeId v = 0; v < graph.num_nodes(); ++v) {
    const auto begin = graph.offsets()[v];
    const auto end = graph.offsets()[v + 1];
    if (begin < end) rows.push_back(torch::softmax(logits.slice(0, begin, end), 0));
  }
  return torch::cat(rows);
}

Tensor edge_score(const Graph& graph, const Tensor& node_scores, const Tensor& bias) {
  const Tensor target = as_index(rows_of(graph.csr()));
  const Tensor source =
      as_index(std::vector<NodeId>(graph.columns().begin(), graph.columns().end()));
  Tensor raw = node_scores.select(1, 0).index_select(0, source) +
               node_scores.select(1, 1).index_select(0, target);
  if (bias.defined()) raw = raw + bias;
  return 0.5 + segment_softmax(graph, raw);
}

Tensor attention(const Graph& graph, const Tensor& x, const Tensor& source, const Tensor& target,
                 const AttentionOptions& options) {
  const std::int64_t n = graph.num_nodes();
  const std::int64_t heads = source.size(1);
  const std::int64_t channels = x.size(1) / heads;
  std::vector<Tensor> outputs;
  for (std::int64_t h = 0; h < heads; ++h) {
    // [target, source]; entries that are not edges are minus infinity before the softmax.
    const Tensor raw = target.select(1, h).unsqueeze(1) + source.select(1, h).unsqueeze(0);
    const Tensor logits = torch::where(raw > 0, raw, options.negative_slope * raw);
    const Tensor eye = torch::eye(n, x.options());
    const Tensor edges =
        dense(graph, torch::ones({graph.num_edges()}, x.options())) * (1 - eye) + eye;
    Tensor alpha = torch::softmax(logits.masked_fill(edges == 0, -1e30), 1);
    if (options.keep.defined()) {
      const Tensor keep = options.keep.select(1, h);
      alpha = alpha * (dense(graph, keep.slice(0, 0, graph.num_edges())) * (1 - eye) +
                       keep.slice(0, graph.num_edges()).diag());
    }
    outputs.push_back(alpha.matmul(x.slice(1, h * channels, (h + 1) * channels)));
  }
  return torch::cat(outputs, 1);
}

}  // namespace hgnet::naive
