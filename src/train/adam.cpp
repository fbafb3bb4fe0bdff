#include "hgnet/train/adam.hpp"

#include <ATen/Dispatch.h>

#include <cmath>

namespace hgnet {
namespace {

template <class T>
void update(T* __restrict p, const T* __restrict grad, T* __restrict m, T* __restrict v,
            std::int64_t n, const AdamOptions& o, double weight_decay, double rate,
            double second_correction) {
  const T decay = static_cast<T>(weight_decay);
  const T b1 = static_cast<T>(o.beta1);
  const T b2 = static_cast<T>(o.beta2);
  const T c1 = static_cast<T>(1 - o.beta1);
  const T c2 = static_cast<T>(1 - o.beta2);
  const T step = static_cast<T>(rate);
  const T root = static_cast<T>(std::sqrt(second_correction));
  const T eps = static_cast<T>(o.eps);
  for (std::int64_t i = 0; i < n; ++i) {
    const T g = grad[i] + decay * p[i];
    m[i] = b1 * m[i] + c1 * g;
    v[i] = b2 * v[i] + c2 * g * g;
    p[i] -= step * m[i] / (std::sqrt(v[i]) / root + eps);
  }
}

}  // namespace

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
  ++state_.steps;
  const auto t = static_cast<double>(state_.steps);
  const double rate = options_.learning_rate / (1 - std::pow(options_.beta1, t));
  const double second_correction = 1 - std::pow(options_.beta2, t);
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    torch::Tensor& p = parameters_[i];
    if (!p.grad().defined()) continue;
    const torch::Tensor grad = p.grad().contiguous();
    AT_DISPATCH_FLOATING_TYPES(p.scalar_type(), "adam", [&] {
      update<scalar_t>(p.data_ptr<scalar_t>(), grad.data_ptr<scalar_t>(),
                       state_.first[i].data_ptr<scalar_t>(), state_.second[i].data_ptr<scalar_t>(),
                       p.numel(), options_, decayed_[i] ? options_.weight_decay : 0, rate,
                       second_correction);
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
