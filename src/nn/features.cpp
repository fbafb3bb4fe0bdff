#include "hgnet/nn/features.hpp"

#include "hgnet/ops/spmm.hpp"

namespace hgnet {

std::int64_t Features::num_rows() const {
  return is_sparse() ? std::get<SparseMatrix>(rows_).num_rows() : dense().size(0);
}

std::int64_t Features::width() const {
  return is_sparse() ? std::get<SparseMatrix>(rows_).num_columns() : dense().size(1);
}

const torch::Tensor& Features::dense() const {
  TORCH_CHECK(!is_sparse(), "features: must be dense rows here (got a sparse matrix)");
  const auto& rows = std::get<torch::Tensor>(rows_);
  TORCH_CHECK(rows.defined() && rows.dim() == 2, "features: must have shape [nodes, width]");
  return rows;
}

torch::Tensor Features::times(const torch::Tensor& weight) const {
  TORCH_CHECK(weight.size(1) == width(), "features: the layer takes width ", weight.size(1),
              " (got ", width(), ")");
  if (is_sparse()) return sparse_linear(std::get<SparseMatrix>(rows_), weight, values_);
  return small_linear(dense(), weight);
}

Features Features::at(std::span<const NodeId> rows) const {
  if (!is_sparse())
    return dense().index_select(
        0, torch::from_blob(const_cast<NodeId*>(rows.data()), {std::ssize(rows)}, torch::kInt32));
  TORCH_CHECK(!values_.defined(), "features: rows with dropout cannot be chosen from");
  const SparseMatrix& matrix = sparse();
  const CsrView csr = matrix.csr();
  std::vector<EdgeId> offsets{0};
  std::vector<NodeId> columns;
  std::vector<float> values;
  for (const NodeId row : rows) {
    const EdgeId begin = csr.offsets[row];
    const EdgeId end = csr.offsets[row + 1];
    columns.insert(columns.end(), csr.columns.begin() + begin, csr.columns.begin() + end);
    values.insert(values.end(), matrix.values().begin() + begin, matrix.values().begin() + end);
    offsets.push_back(static_cast<EdgeId>(columns.size()));
  }
  return SparseMatrix(matrix.num_columns(), std::move(offsets), std::move(columns),
                      std::move(values));
}

torch::Tensor Features::keep_rows(const ProductAndRows& both) {
  rows_ = both.x;
  return both.y;
}

Features Features::dropped(Dropout dropout) const {
  if (dropout.p == 0) return *this;
  if (!is_sparse()) return {norm_act(dense(), {}, nullptr, Activation::kNone, dropout)};
  Features result = *this;
  const auto& matrix = std::get<SparseMatrix>(rows_);
  torch::Tensor own = torch::from_blob(const_cast<float*>(matrix.values().data()),
                                       {matrix.num_entries()}, torch::kFloat32);
  result.values_ = own * dropout_factors({matrix.num_entries()}, dropout, torch::kFloat32);
  return result;
}

}  // namespace hgnet
