#include <ATen/Dispatch.h>
#include <torch/library.h>

#include <cmath>

#include "core/flush_denormals.hpp"
#include "kernels/adam.hpp"
#include "tensors.hpp"

namespace hgnet::python {
namespace {

struct AdamSettings {
  double rate;
  double beta1;
  double beta2;
  double eps;
  double weight_decay;
};

void check_parameter(const Tensor& p, const Tensor& grad, const Tensor& first, const Tensor& second,
                     const Tensor& step) {
  TORCH_CHECK(p.device().is_cpu() && p.is_contiguous() && !grad.is_sparse(),
              "adam: parameters must be contiguous CPU tensors with dense gradients (got ",
              p.options(), ")");
  for (const Tensor* other : {&grad, &first, &second})
    TORCH_CHECK(other->sizes() == p.sizes() && other->scalar_type() == p.scalar_type(),
                "adam: gradient and state must be shaped as the parameter, ", p.sizes(), " ",
                p.scalar_type(), " (got ", other->sizes(), " ", other->scalar_type(), ")");
  TORCH_CHECK(first.is_contiguous() && second.is_contiguous(), "adam: the state is not contiguous");
  TORCH_CHECK(step.numel() == 1 && step.scalar_type() == torch::kFloat32,
              "adam: step must be one float32 number (got ", step.sizes(), " ", step.scalar_type(),
              ")");
}

void step_one(const Tensor& p, const Tensor& grad_in, const Tensor& first, const Tensor& second,
              const Tensor& step, const AdamSettings& settings) {
  check_parameter(p, grad_in, first, second, step);
  const Tensor grad = grad_in.contiguous();
  const double t = *step.data_ptr<float>() += 1;
  AT_DISPATCH_FLOATING_TYPES(p.scalar_type(), "adam", [&] {
    kernels::adam_step<scalar_t>(
        {.size = p.numel(),
         .grad = grad.data_ptr<scalar_t>(),
         .p = p.data_ptr<scalar_t>(),
         .m = first.data_ptr<scalar_t>(),
         .v = second.data_ptr<scalar_t>(),
         .weight_decay = static_cast<scalar_t>(settings.weight_decay),
         .beta1 = static_cast<scalar_t>(settings.beta1),
         .one_less_beta1 = static_cast<scalar_t>(1 - settings.beta1),
         .beta2 = static_cast<scalar_t>(settings.beta2),
         .one_less_beta2 = static_cast<scalar_t>(1 - settings.beta2),
         .rate = static_cast<scalar_t>(settings.rate / (1 - std::pow(settings.beta1, t))),
         .root = static_cast<scalar_t>(std::sqrt(1 - std::pow(settings.beta2, t))),
         .eps = static_cast<scalar_t>(settings.eps)});
  });
  p.unsafeGetTensorImpl()->bump_version();
}

/// A step for each parameter; its gradient, m, v and number of steps stand at the same place.
void adam(torch::TensorList parameters, torch::TensorList grads, torch::TensorList first,
          torch::TensorList second, torch::TensorList steps, double rate, double beta1,
          double beta2, double eps, double weight_decay) {
  TORCH_CHECK(grads.size() == parameters.size() && first.size() == parameters.size() &&
                  second.size() == parameters.size() && steps.size() == parameters.size(),
              "adam: lists of ", parameters.size(), ", ", grads.size(), ", ", first.size(), ", ",
              second.size(), " and ", steps.size(), " tensors");
  const torch::NoGradGuard no_grad;
  const FlushDenormals flush;  // of inputs that never occur, m, v and p become denormal
  for (std::size_t i = 0; i < parameters.size(); ++i)
    step_one(parameters[i], grads[i], first[i], second[i], steps[i],
             {rate, beta1, beta2, eps, weight_decay});
}

}  // namespace

TORCH_LIBRARY_FRAGMENT(hgnet, m) {
  m.def(
      "adam_(Tensor(a!)[] parameters, Tensor[] grads, Tensor(b!)[] first, Tensor(c!)[] second, "
      "Tensor(d!)[] steps, float rate, float beta1, float beta2, float eps, float weight_decay)"
      " -> ()");
}

TORCH_LIBRARY_IMPL(hgnet, CPU, m) { m.impl("adam_", adam); }

}  // namespace hgnet::python
