#pragma once

#include <torch/types.h>

#include <cstdint>
#include <functional>
#include <span>

#include "hgnet/core/activation.hpp"

namespace hgnet {

/// Dropout of one call: each entry is 0 with probability p, else divided by 1 - p. Which entries
/// are dropped depends only on the seed and the entry's position, so no mask is stored. p = 0:
/// none.
struct Dropout {
  double p = 0;
  std::uint64_t seed = 0;
};

/// The share of a batch in the running statistics.
inline constexpr double kNormMomentum = 0.1;

/// Sums values over the processes that share a batch, in place.
using SumOverRanks = std::function<void(std::span<double>)>;

/// Batch normalisation of columns: (z - mean) / sqrt(var + eps) * weight + bias. While training,
/// mean and variance are those of the given rows, and the running ones are moved towards them (the
/// variance by its unbiased estimate); otherwise the running ones are used. All [C]. If the rows
/// are a part of a batch that other processes have, too, `over_ranks` makes the statistics, and
/// their part in the gradient, those of all its rows; with `counts` false, without the rows given
/// here.
struct BatchNormTensors {
  torch::Tensor weight;
  torch::Tensor bias;
  torch::Tensor running_mean;
  torch::Tensor running_var;
  bool training = false;
  double momentum = kNormMomentum;
  double eps = 1e-5;
  const SumOverRanks* over_ranks = nullptr;  // must live until the backward pass is over
  bool counts = true;
};

/// y = dropout(act(norm(z + b))) + residual for z [N, C] in one pass over z (two if statistics are
/// computed), where libtorch needs one or two for each part. `bias` b [C] and `residual` [N, C] may
/// be undefined: 0; `norm` may be null: none. Backward recomputes what it needs from z: with a =
/// norm(z + b) and da = mask act'(a) dy,
///   dz = w / s (da - mean(da) - (z - mean) / s^2 mean(da (z - mean))), s = sqrt(var + eps), while
///   training; dz = w / s da otherwise; without norm dz = da.
/// db = column sum of dz, dresidual = dy.
torch::Tensor norm_act(const torch::Tensor& z, const torch::Tensor& bias,
                       const BatchNormTensors* norm, Activation activation, Dropout dropout = {},
                       const torch::Tensor& residual = {});

/// Dropout factors for values that are not rows: a tensor of `shape` with entries 0 or 1 / (1 - p).
torch::Tensor dropout_factors(torch::IntArrayRef shape, Dropout dropout, torch::ScalarType type);

}  // namespace hgnet
