#include "hgnet/train/adam.hpp"

#include <ATen/Dispatch.h>

#include <cmath>

#include "core/flush_denormals.hpp"
#include "kernels/adam.hpp"

namespace hgnet {

Adam::Adam(std::vector<torch::Tensor> parameters, const AdamOptions& options,
           std::vector<bool> decayed)
    : parameters_(std::move(parameters)), options_(options), decayed_(std::move(decayed)) {
  if (decayed_.empty()) decayed_.assign(parameters_.size(), true);
  TORCH_CHECK(decayed_.size() == parameters_.size(), "adam: ", decayed_.size(),
              " choices of decay for ", parameters_.size(), " parameters");
  for (const torch::Tensor& p : parameters_) {
    TORCH_CHECK(p.is_contiguous() && p.device().is_cpu(),
                "adam: parameters must be contiguous CPU tensors");
    state_.first.push_back(torch::zeros_like(p).detach());
    state_.second.push_back(torch::zeros_like(p).detach());
  }
}

void Adam::step() {
  // For inputs that never occur, m, v and p decay to denormal numbers.
  const FlushDenormals flush;
  ++state_.steps;
  const auto t = static_cast<double>(state_.steps);
  const double rate = options_.learning_rate / (1 - std::pow(options_.beta1, t));
  const double root = std::sqrt(1 - std::pow(options_.beta2, t));
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    torch::Tensor& p = parameters_[i];
    if (!p.grad().defined()) continue;
    const torch::Tensor grad = p.grad().contiguous();
    AT_DISPATCH_FLOATING_TYPES(p.scalar_type(), "adam", [&] {
      kernels::adam_step<scalar_t>(
          {.size = p.numel(),
           .grad = grad.data_ptr<scalar_t>(),
           .p = p.data_ptr<scalar_t>(),
           .m = state_.first[i].data_ptr<scalar_t>(),
           .v = state_.second[i].data_ptr<scalar_t>(),
           .weight_decay = static_cast<scalar_t>(decayed_[i] ? options_.weight_decay : 0),
           .beta1 = static_cast<scalar_t>(options_.beta1),
           .one_less_beta1 = static_cast<scalar_t>(1 - options_.beta1),
           .beta2 = static_cast<scalar_t>(options_.beta2),
           .one_less_beta2 = static_cast<scalar_t>(1 - options_.beta2),
           .rate = static_cast<scalar_t>(rate),
           .root = static_cast<scalar_t>(root),
           .eps = static_cast<scalar_t>(options_.eps)});
    });
  }
}

void Adam::zero_grad() {
  for (torch::Tensor& p : parameters_) p.mutable_grad() = torch::Tensor();
}

void Adam::set_state(State state) {
  TORCH_CHECK(state.first.size() == parameters_.size() && state.second.size() == parameters_.size(),
              "adam: a state of ", state.first.size(), " parameters for ", parameters_.size());
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    TORCH_CHECK(state.first[i].sizes() == parameters_[i].sizes() &&
                    state.second[i].sizes() == parameters_[i].sizes() &&
                    state.first[i].scalar_type() == parameters_[i].scalar_type() &&
                    state.second[i].scalar_type() == parameters_[i].scalar_type(),
                "adam: the state of parameter ", i, " has another shape or type");
    state.first[i] = state.first[i].clone();
    state.second[i] = state.second[i].clone();
  }
  state_ = std::move(state);
}

}  // namespace hgnet
