#include "hgnet/nn/tail.hpp"

#include "hgnet/core/text.hpp"

namespace hgnet {

Dropout draw_dropout(double p, bool training, Generator& generator) {
  if (!training || p == 0) return {};
  return {p, generator()};
}

TailImpl::TailImpl(std::int64_t width, const TailOptions& options) : options_(options) {
  if (options.norm == Norm::kNone) return;
  weight = register_parameter("weight", torch::ones({width}, torch::kFloat32));
  bias = register_parameter("bias", torch::zeros({width}, torch::kFloat32));
  running_mean = register_buffer("running_mean", torch::zeros({width}, torch::kFloat32));
  running_var = register_buffer("running_var", torch::ones({width}, torch::kFloat32));
}

torch::Tensor TailImpl::forward(const torch::Tensor& z, const torch::Tensor& layer_bias,
                                Generator& generator, const torch::Tensor& residual) const {
  const Dropout dropout = draw_dropout(options_.dropout, is_training(), generator);
  const BatchNormTensors norm{.weight = weight,
                              .bias = bias,
                              .running_mean = running_mean,
                              .running_var = running_var,
                              .training = is_training(),
                              .momentum = momentum,
                              .over_ranks = over_ranks ? &over_ranks : nullptr,
                              .counts = counts};
  const torch::Tensor result =
      norm_act(z, layer_bias, options_.norm == Norm::kNone ? nullptr : &norm, options_.activation,
               dropout, residual);
  if (observer) observer(result);
  return result;
}

std::string TailImpl::text() const {
  std::string result;
  if (options_.norm == Norm::kBatch) result += ", batch norm";
  if (options_.activation != Activation::kNone)
    result += ", " + std::string(enum_name(options_.activation));
  if (options_.dropout > 0) result += ", dropout " + short_number(options_.dropout);
  return result;
}

}  // namespace hgnet
