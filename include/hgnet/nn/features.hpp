#pragma once

#include <torch/types.h>

#include <variant>

#include "hgnet/graph/sparse_matrix.hpp"
#include "hgnet/ops/linear.hpp"
#include "hgnet/ops/norm_act.hpp"

namespace hgnet {

/// Rows of node features X: a dense tensor [N, F], or a sparse matrix such as a bag of words,
/// one-hot labels or the categories of atoms. A sparse matrix is never made dense.
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
  /// Only when the rows are sparse.
  const SparseMatrix& sparse() const { return std::get<SparseMatrix>(rows_); }

  /// X W for weight W^T [C, F], as Linear stores it.
  torch::Tensor times(const torch::Tensor& weight) const;

  /// Some of the rows. Not of rows with dropout.
  Features at(std::span<const NodeId> rows) const;

  /// Replaces these rows with those of `both`; returns its product.
  torch::Tensor keep_rows(const ProductAndRows& both);

  /// A copy with dropout applied to the entries; zeros of a sparse matrix stay zero either way.
  Features dropped(Dropout dropout) const;

 private:
  std::variant<torch::Tensor, SparseMatrix> rows_;
  torch::Tensor values_;  // used instead of a sparse matrix's own values, if defined
};

}  // namespace hgnet
