#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "hgnet/core/ids.hpp"
#include "hgnet/graph/csr.hpp"

namespace hgnet {

/// A sparse matrix, such as bag-of-words node features. Immutable, cheap to copy. CSR with
/// ascending columns in each row.
class SparseMatrix {
 public:
  /// 0 x 0.
  SparseMatrix();

  /// Throws InvalidMatrix, naming the row or entry, if offsets do not rise from 0 to the number of
  /// entries, columns of a row do not ascend or are outside 0 .. num_columns - 1, or lengths
  /// differ.
  SparseMatrix(std::int64_t num_columns, std::vector<EdgeId> offsets, std::vector<NodeId> columns,
               std::vector<float> values);

  /// Keeps the non-zero entries of a row-major dense matrix.
  static SparseMatrix from_dense(std::span<const float> dense, std::int64_t num_rows,
                                 std::int64_t num_columns);

  std::int64_t num_rows() const { return csr().num_rows(); }
  std::int64_t num_columns() const;
  std::int64_t num_entries() const { return csr().num_slots(); }
  CsrView csr() const;
  std::span<const float> values() const;

 private:
  struct Storage;
  std::shared_ptr<const Storage> storage_;
};

}  // namespace hgnet
