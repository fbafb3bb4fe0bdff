#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "hgnet/core/random.hpp"
#include "hgnet/nn/features.hpp"

namespace hgnet {

/// X' = X W + b. weight is W^T [out, in]; both are initially uniform in +- 1 / sqrt(in), as in
/// libtorch.
class LinearImpl : public torch::nn::Module {
 public:
  LinearImpl(std::int64_t in, std::int64_t out, Generator& generator);

  torch::Tensor forward(const Features& x) const {
    return x.is_sparse() ? x.times(weight) + bias : small_linear(x.dense(), weight, bias);
  }

  torch::Tensor weight;
  torch::Tensor bias;
};
TORCH_MODULE(Linear);

}  // namespace hgnet
