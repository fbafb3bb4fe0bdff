#pragma once

#include <torch/types.h>

#include <vector>

namespace hgnet::detail {

/// to[c][r] = from[r][c].
template <class T>
void transpose(const T* from, std::int64_t rows, std::int64_t columns, T* to) {
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < columns; ++c) to[c * rows + r] = from[r * columns + c];
}

/// Rows begin .. begin + rows - 1 of a small contiguous matrix, transposed.
template <class T>
std::vector<T> transposed(const torch::Tensor& matrix, std::int64_t begin, std::int64_t rows) {
  const std::int64_t columns = matrix.size(1);
  std::vector<T> result(static_cast<std::size_t>(rows * columns));
  transpose(matrix.data_ptr<T>() + begin * columns, rows, columns, result.data());
  return result;
}

template <class T>
std::vector<T> transposed(const torch::Tensor& matrix) {
  return transposed<T>(matrix, 0, matrix.size(0));
}

}  // namespace hgnet::detail
