#pragma once

#include <torch/types.h>

#include <vector>

namespace hgnet::detail {

/// Rows begin .. begin + rows - 1 of a small contiguous matrix, transposed.
template <class T>
std::vector<T> transposed(const torch::Tensor& matrix, std::int64_t begin, std::int64_t rows) {
  const std::int64_t columns = matrix.size(1);
  const T* from = matrix.data_ptr<T>() + begin * columns;
  std::vector<T> result(rows * columns);
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < columns; ++c) result[c * rows + r] = from[r * columns + c];
  return result;
}

template <class T>
std::vector<T> transposed(const torch::Tensor& matrix) {
  return transposed<T>(matrix, 0, matrix.size(0));
}

}  // namespace hgnet::detail
