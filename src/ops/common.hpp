// Shared by the ops: checks with uniform wording, pointers of the right type, values kept for
// backward.

#pragma once

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/core/ivalue.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/types.h>

#include <utility>

namespace hgnet::detail {

/// A value that is not a tensor, kept by an autograd context.
template <class T>
struct Held : torch::CustomClassHolder {
  explicit Held(T held) : value(std::move(held)) {}
  T value;
};

template <class T>
void keep(torch::autograd::AutogradContext* ctx, const char* name, T value) {
  ctx->saved_data[name] = c10::IValue::make_capsule(
      c10::intrusive_ptr<torch::CustomClassHolder>(c10::make_intrusive<Held<T>>(std::move(value))));
}

template <class T>
const T& kept(torch::autograd::AutogradContext* ctx, const char* name) {
  // The context outlives the backward call, so the reference does too.
  const auto capsule = ctx->saved_data.at(name).toCapsule();
  return static_cast<const Held<T>&>(*capsule).value;
}

/// A tensor that may be undefined, as autograd functions take it.
inline torch::optional<torch::Tensor> maybe(const torch::Tensor& tensor) {
  return tensor.defined() ? torch::optional<torch::Tensor>(tensor) : torch::nullopt;
}

inline torch::Tensor undefined_or(const torch::optional<torch::Tensor>& tensor) {
  return tensor.has_value() ? *tensor : torch::Tensor();
}

/// The kernels' gradients are constants to autograd; a second derivative through them would be
/// silently wrong. The engine enables gradients during backward only when asked for such a graph.
inline void check_differentiated_once(const char* op) {
  TORCH_CHECK(!at::GradMode::is_enabled(), op,
              ": can be differentiated only once (got create_graph=true)");
}

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

/// Uninitialised memory for a result. A large one asks for huge pages: filling them takes a
/// hundredth of the page faults, and the next gather from it waits for the page table far less.
torch::Tensor empty_result(torch::IntArrayRef shape, const torch::TensorOptions& options);

/// The same for rows shaped like x's, [rows] or [rows, C].
torch::Tensor empty_with_rows(const torch::Tensor& x, std::int64_t rows);

/// Width of a row of a tensor whose first dimension counts rows.
inline std::int64_t row_width(const torch::Tensor& tensor) {
  return tensor.dim() == 1 ? 1 : tensor.size(1);
}

}  // namespace hgnet::detail
