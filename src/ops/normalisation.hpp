// How norm_act normalises columns in one call, and what it does to running statistics.

#pragma once

#include <vector>

#include "hgnet/ops/norm_act.hpp"

namespace hgnet::detail {

/// norm(z + b) = weight inverse (z - mean) + offset, column by column.
struct Normalisation {
  bool batch = false;           // by the statistics of the batch's rows
  std::vector<double> mean;     // subtracted from z: the rows' mean, or running mean - b
  std::vector<double> inverse;  // 1 / sqrt(var + eps)
  double rows = 0;              // of the batch
  const SumOverRanks* over_ranks = nullptr;
  bool counts = true;  // whether the given rows are of the batch

  bool is_none() const { return mean.empty(); }
};

/// By the rows of contiguous z, towards which the running statistics of z + bias move. `bias` may
/// be undefined.
Normalisation by_rows_at_hand(const torch::Tensor& z, const torch::Tensor& bias,
                              const BatchNormTensors& norm);

/// By the running statistics.
Normalisation by_running(const torch::Tensor& bias, const BatchNormTensors& norm);

}  // namespace hgnet::detail
