// Shared by the ops: checks with uniform wording, pointers of the right type, memory for results.

#pragma once

#include <ATen/Dispatch.h>
#include <ATen/EmptyTensor.h>
#include <ATen/Parallel.h>
#include <torch/types.h>

#include <vector>

namespace hgnet::detail {

inline bool needs_gradient(const torch::Tensor& tensor) {
  return tensor.defined() && tensor.requires_grad();
}

/// A dense CPU tensor of floats or doubles.
inline void check_floating(const char* op, const char* name, const torch::Tensor& tensor) {
  TORCH_CHECK(tensor.defined(), op, ": ", name, " is an undefined tensor");
  TORCH_CHECK(tensor.device().is_cpu() && tensor.layout() == torch::kStrided, op, ": ", name,
              " must be a dense CPU tensor (got ", tensor.options(), ")");
  TORCH_CHECK(tensor.scalar_type() == torch::kFloat32 || tensor.scalar_type() == torch::kFloat64,
              op, ": ", name, " must be float32 or float64 (got ", tensor.scalar_type(), ")");
}

inline void check_shape(const char* op, const char* name, const torch::Tensor& tensor,
                        torch::IntArrayRef shape) {
  check_floating(op, name, tensor);
  TORCH_CHECK(tensor.sizes() == shape, op, ": ", name, " must have shape ", shape, " (got ",
              tensor.sizes(), ")");
}

/// [rows, any width].
inline void check_matrix(const char* op, const char* name, const torch::Tensor& tensor,
                         std::int64_t rows) {
  check_floating(op, name, tensor);
  TORCH_CHECK(tensor.dim() == 2 && tensor.size(0) == rows, op, ": ", name, " must have shape [",
              rows, ", channels] (got ", tensor.sizes(), ")");
}

/// [rows] or [rows, any width].
inline void check_rows(const char* op, const char* name, const torch::Tensor& tensor,
                       std::int64_t rows) {
  check_floating(op, name, tensor);
  TORCH_CHECK((tensor.dim() == 1 || tensor.dim() == 2) && tensor.size(0) == rows, op, ": ", name,
              " must have shape [", rows, "] or [", rows, ", channels] (got ", tensor.sizes(), ")");
}

inline void check_same_type(const char* op, const char* name, const torch::Tensor& tensor,
                            torch::ScalarType type) {
  TORCH_CHECK(tensor.scalar_type() == type, op, ": ", name, " must be ", type, ", like x (got ",
              tensor.scalar_type(), ")");
}

/// For a tensor that may be undefined.
inline void check_if_defined(const char* op, const char* name, const torch::Tensor& tensor,
                             torch::IntArrayRef shape, torch::ScalarType type) {
  if (!tensor.defined()) return;
  check_shape(op, name, tensor, shape);
  check_same_type(op, name, tensor, type);
}

template <class T>
T* data_or_null(const torch::Tensor& tensor) {
  return tensor.defined() ? tensor.data_ptr<T>() : nullptr;
}

inline torch::Tensor contiguous_or_undefined(const torch::Tensor& tensor) {
  return tensor.defined() ? tensor.contiguous() : tensor;
}

/// Uninitialised memory: torch::empty without its way through the dispatcher, which takes longer
/// than many a kernel on a small batch.
inline torch::Tensor empty(torch::IntArrayRef shape, torch::ScalarType type) {
  return torch::Tensor(at::detail::empty_cpu(shape, type));
}

/// The same for a result. A large one asks for huge pages: filling them takes a
/// hundredth of the page faults, and the next gather from it waits for the page table far less.
torch::Tensor empty_result(torch::IntArrayRef shape, torch::ScalarType type);

/// For rows shaped like x's, [rows] or [rows, C].
torch::Tensor empty_with_rows(const torch::Tensor& x, std::int64_t rows);

/// The numbers of a tensor [C].
std::vector<double> doubles(const torch::Tensor& tensor);

/// Width of a row of a tensor whose first dimension counts rows.
inline std::int64_t row_width(const torch::Tensor& tensor) {
  return tensor.dim() == 1 ? 1 : tensor.size(1);
}

}  // namespace hgnet::detail
