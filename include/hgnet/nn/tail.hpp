#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include <functional>
#include <string>

#include "hgnet/config/kinds.hpp"
#include "hgnet/core/random.hpp"
#include "hgnet/ops/norm_act.hpp"

namespace hgnet {

/// The dropout of one call. The seed is drawn from the generator, but only while training.
Dropout draw_dropout(double p, bool training, Generator& generator);

struct TailOptions {
  Norm norm = Norm::kNone;
  Activation activation = Activation::kNone;
  double dropout = 0;
};

/// What follows a layer: y = dropout(act(norm(z + b))) + residual, where b is the layer's bias. See
/// norm_act.
class TailImpl : public torch::nn::Module {
 public:
  TailImpl(std::int64_t width, const TailOptions& options);

  torch::Tensor forward(const torch::Tensor& z, const torch::Tensor& layer_bias,
                        Generator& generator, const torch::Tensor& residual = {}) const;

  /// ", batch norm, relu, dropout 0.5".
  std::string text() const;

  /// If set, called with every result; used to find where values stop being finite.
  std::function<void(const torch::Tensor&)> observer;

  // Of the norm, if there is one.
  torch::Tensor weight;
  torch::Tensor bias;
  torch::Tensor running_mean;
  torch::Tensor running_var;
  double momentum = kNormMomentum;  // of the running statistics
  /// If set, statistics are of the batch's rows on all ranks; see BatchNormTensors.
  SumOverRanks over_ranks;
  bool counts = true;

 private:
  TailOptions options_;
};
TORCH_MODULE(Tail);

}  // namespace hgnet
