// Ops as nodes of libtorch's graph of gradients.

#pragma once

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/utils.h>
#include <torch/csrc/autograd/saved_variable.h>
#include <torch/types.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "ops/common.hpp"
#include "ops/torch_version.hpp"

namespace hgnet::detail {

using torch::autograd::tensor_list;

/// A tensor kept for backward, which throws if it was changed in place since. Not for a result of
/// the same op, which would keep itself alive: keep its alias(). Of tensors made in inference mode,
/// which libtorch refuses to keep, only the request to read one throws: mostly there is none.
class Saved {
 public:
  Saved() = default;
  Saved(const torch::Tensor& tensor)  // NOLINT(google-explicit-constructor)
      : is_inference_(tensor.defined() && tensor.is_inference()) {
    if (!is_inference_) variable_ = {tensor, /*is_output=*/false};
  }

  torch::Tensor get() const {
    TORCH_CHECK(!is_inference_,
                "backward: a tensor made in inference mode cannot be kept for it; clone it first");
    return variable_.unpack();
  }

 private:
  torch::autograd::SavedVariable variable_;
  bool is_inference_ = false;
};

/// The same memory as a tensor of its own, without history: an input that an op passes on.
inline torch::Tensor alias(const torch::Tensor& tensor) { return tensor.tensor_data(); }

inline torch::Tensor like(const torch::Tensor& tensor) {
  return empty_result(tensor.sizes(), tensor.scalar_type());
}

/// Where to write a gradient of grad's shape whose every number depends, of grad, on the same place
/// alone: over grad itself if nobody else holds it, and in fresh memory otherwise. Kernels read and
/// write whole vectors, the last of a row shifted back, so only rows of full vectors can be
/// overwritten.
inline torch::Tensor over(const torch::Tensor& grad) {
  constexpr std::int64_t kWidestVector = 64;  // bytes
  if (grad.dim() != 2 || grad.size(1) * grad.element_size() % kWidestVector != 0 ||
      !grad.is_contiguous() || grad.use_count() != 1 || grad.storage().use_count() != 1)
    return like(grad);
  // Memory that libtorch has not allocated, as from_blob's, cannot be resized.
  return grad.storage().unsafeGetStorageImpl()->resizable() ? grad : like(grad);
}

/// The gradient of op F.
template <class F>
class GradientNode : public torch::autograd::Node {
 public:
  explicit GradientNode(typename F::Kept kept) : kept_(std::move(kept)) {}

  std::string name() const override { return F::kName; }

  void release_variables() override {
    const std::scoped_lock lock(mutex_);
    kept_.reset();
  }

 protected:
  tensor_list apply(tensor_list&& grads) override {
    const std::scoped_lock lock(mutex_);
    // The kernels' gradients are constants to autograd; a second derivative through them would be
    // silently wrong. The engine enables gradients during backward only when asked for such a
    // graph.
    TORCH_CHECK(!at::GradMode::is_enabled(), F::kName,
                ": can be differentiated only once (got create_graph=true)");
    TORCH_CHECK(kept_, F::kName, ": ", torch::autograd::ERR_BACKWARD_TWICE);
    const bool none = std::none_of(grads.begin(), grads.end(),
                                   [](const torch::Tensor& grad) { return grad.defined(); });
    if (none) return tensor_list(num_outputs());
    const at::AutoDispatchBelowADInplaceOrView below;
    return F::backward(*kept_, grads);
  }

 private:
  std::optional<typename F::Kept> kept_;
};

/// What torch::autograd::Function does for an op F, in a fifth of its time, which counts beside
/// kernels of some microseconds. F has
///   kName                                   for messages
///   struct Kept                             what its gradient needs
///   Tensor or tensor_list forward(Kept&, const Tensor&...)   adds to what `apply` was given
///   tensor_list backward(const Kept&, const tensor_list&)    one gradient for each input; at least
///                                           one of the given ones is defined
/// Inputs may be undefined.
template <class F>
struct Function {
  template <class Kept, class... Inputs>
  static auto apply(Kept kept, const Inputs&... inputs) {
    const bool records = at::GradMode::is_enabled() && (needs_gradient(inputs) || ...);
    auto results = [&] {
      const at::AutoDispatchBelowADInplaceOrView below;
      const at::AutoGradMode off(false);
      return F::forward(kept, inputs...);
    }();
    if (records) {
      const auto node = make_node<GradientNode<F>>(std::move(kept));
      node->set_next_edges(torch::autograd::collect_next_edges(inputs...));
      torch::autograd::set_history(results, node);
    }
    return results;
  }

 private:
  static bool needs_gradient(const torch::Tensor& tensor) {
    return tensor.defined() && tensor.requires_grad();
  }
};

}  // namespace hgnet::detail
