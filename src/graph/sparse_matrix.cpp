#include "hgnet/graph/sparse_matrix.hpp"

#include <limits>
#include <string>
#include <utility>

#include "hgnet/core/error.hpp"

namespace hgnet {

struct SparseMatrix::Storage {
  std::int64_t num_columns = 0;
  std::vector<EdgeId> offsets;
  std::vector<NodeId> columns;
  std::vector<float> values;
};

namespace {

[[noreturn]] void fail(const std::string& what) { throw InvalidMatrix("sparse matrix: " + what); }

void check(std::int64_t num_columns, const std::vector<EdgeId>& offsets,
           const std::vector<NodeId>& columns, std::size_t num_values) {
  if (num_columns < 0 || num_columns > std::numeric_limits<NodeId>::max()) {
    fail("column count " + std::to_string(num_columns) + " is out of range");
  }
  if (offsets.size() > static_cast<std::size_t>(std::numeric_limits<NodeId>::max())) {
    fail("more rows than an id can hold");
  }
  if (num_values != columns.size()) {
    fail(std::to_string(num_values) + " values for " + std::to_string(columns.size()) + " entries");
  }
  if (offsets.empty() || offsets.front() != 0 ||
      offsets.back() != static_cast<EdgeId>(columns.size())) {
    fail("offsets must run from 0 to the number of entries, " + std::to_string(columns.size()));
  }
  for (std::size_t r = 0; r + 1 < offsets.size(); ++r) {
    if (offsets[r + 1] < offsets[r] || offsets[r + 1] > offsets.back()) {
      fail("row " + std::to_string(r) + ": offsets do not rise");
    }
    for (EdgeId s = offsets[r]; s < offsets[r + 1]; ++s) {
      if (columns[s] < 0 || columns[s] >= num_columns) {
        fail("row " + std::to_string(r) + ": column " + std::to_string(columns[s]) +
             " is outside 0 .. " + std::to_string(num_columns - 1));
      }
      if (s > offsets[r] && columns[s] <= columns[s - 1]) {
        fail("row " + std::to_string(r) + ": columns do not ascend at column " +
             std::to_string(columns[s]));
      }
    }
  }
}

}  // namespace

SparseMatrix::SparseMatrix() : SparseMatrix(0, {0}, {}, {}) {}

SparseMatrix::SparseMatrix(std::int64_t num_columns, std::vector<EdgeId> offsets,
                           std::vector<NodeId> columns, std::vector<float> values) {
  check(num_columns, offsets, columns, values.size());
  auto storage = std::make_shared<Storage>();
  storage->num_columns = num_columns;
  storage->offsets = std::move(offsets);
  storage->columns = std::move(columns);
  storage->values = std::move(values);
  storage_ = std::move(storage);
}

SparseMatrix SparseMatrix::from_dense(std::span<const float> dense, std::int64_t num_rows,
                                      std::int64_t num_columns) {
  const auto size = static_cast<std::int64_t>(dense.size());
  if (num_rows < 0 || num_columns < 0 || (num_rows > 0 && num_columns > size / num_rows) ||
      size != num_rows * num_columns) {
    fail(std::to_string(dense.size()) + " dense entries do not make " + std::to_string(num_rows) +
         " rows of " + std::to_string(num_columns));
  }
  std::vector<EdgeId> offsets{0};
  std::vector<NodeId> columns;
  std::vector<float> values;
  for (std::int64_t r = 0; r < num_rows; ++r) {
    for (std::int64_t c = 0; c < num_columns; ++c) {
      const float value = dense[r * num_columns + c];
      if (value == 0.0F) continue;
      columns.push_back(static_cast<NodeId>(c));
      values.push_back(value);
    }
    offsets.push_back(static_cast<EdgeId>(columns.size()));
  }
  return {num_columns, std::move(offsets), std::move(columns), std::move(values)};
}

std::int64_t SparseMatrix::num_columns() const { return storage_->num_columns; }

CsrView SparseMatrix::csr() const {
  return {storage_->offsets, storage_->columns, storage_->num_columns};
}

std::span<const float> SparseMatrix::values() const { return storage_->values; }

}  // namespace hgnet
