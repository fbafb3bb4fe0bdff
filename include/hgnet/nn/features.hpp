#pragma once

#include <torch/types.h>

#include <variant>

#include "hgnet/graph/sparse_matrix.hpp"
#include "hgnet/ops/linear.hpp"
#include "hgnet/ops/norm_act.hpp"

namespace hgnet {

/// Rows of node features X: a dense tensor [N, F], or a sparse matrix such as a bag of words, one-hot labels or
/// the categories of atoms, which is never made dense.
class Features {
 public:
  Features() = default;
  Features(torch::Tensor dense) : rows_(std::move(dense)) {}  // NOLINT(google-explicit-constructor)
  Features(SparseMatrix sparse)
      : rows_(std::move(sparse)) {}  // NOLINT(google-explicit-constructor)

  bool is_sparse() const { return std::holds_alternative<SparseMatrix>(rows_); }
  std::int64_t num_rows() const;
  std::int64_t width() const;
  /// Throws c10::Error when the rows are sparse.
  const torch::Tensor& dense() const;

  /// X W for weight W^T [C, F], as Linear keeps it.
  torch::Tensor times(const torch::Tensor& weight) const;

  /// The product of `both`, whose rows take the place of these.
  torch::Tensor keep_rows(const ProductAndRows& both);

  /// With dropout on the entries; zeros of a sparse matrix stay zeros either way.
  Features dropped(Dropout dropout) const;

 private:
  std::variant<torch::Tensor, SparseMatrix> rows_;
  torch::Tensor values_;  // take the place of a sparse matrix' own, when defined
};

}  // namespace hgnet
