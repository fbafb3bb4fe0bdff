#include "ops/normalisation.hpp"

#include <cmath>

#include "kernels/column_moments.hpp"
#include "ops/common.hpp"

namespace hgnet::detail {
namespace {

using torch::Tensor;

void move_running(const Tensor& running, const std::vector<double>& now, double momentum) {
  AT_DISPATCH_FLOATING_TYPES(running.scalar_type(), "norm_act", [&] {
    auto value = running.accessor<scalar_t, 1>();  // the module's own buffer
    for (std::size_t i = 0; i < now.size(); ++i) {
      const auto c = static_cast<std::int64_t>(i);
      value[c] = static_cast<scalar_t>((1 - momentum) * value[c] + momentum * now[i]);
    }
  });
}

/// Mean and sum of squared differences from it, by column, of so many rows.
struct Moments {
  double rows = 0;
  std::vector<double> mean;
  std::vector<double> squares;
};

Moments moments_of(const Tensor& z) {
  Moments result{static_cast<double>(z.size(0)), std::vector<double>(z.size(1)),
                 std::vector<double>(z.size(1))};
  AT_DISPATCH_FLOATING_TYPES(z.scalar_type(), "norm_act", [&] {
    kernels::column_moments<scalar_t>(z.size(0), z.size(1), z.data_ptr<scalar_t>(),
                                      result.mean.data(), result.squares.data(),
                                      at::get_num_threads());
  });
  return result;
}

/// Of the rows of all ranks: exchanges sums of rows, of values and of their squares.
void merge_over_ranks(Moments& moments, const BatchNormTensors& norm) {
  const std::size_t columns = moments.mean.size();
  std::vector<double> sums(1 + 2 * columns);
  if (norm.counts) {
    sums[0] = moments.rows;
    for (std::size_t c = 0; c < columns; ++c) {
      sums[1 + c] = moments.rows * moments.mean[c];
      sums[1 + columns + c] = moments.squares[c] + sums[1 + c] * moments.mean[c];
    }
  }
  (*norm.over_ranks)(sums);
  moments.rows = sums[0];
  for (std::size_t c = 0; c < columns; ++c) {
    moments.mean[c] = sums[1 + c] / std::max(sums[0], 1.0);
    moments.squares[c] = std::max(0.0, sums[1 + columns + c] - sums[1 + c] * moments.mean[c]);
  }
}

}  // namespace

Normalisation by_rows_at_hand(const Tensor& z, const Tensor& bias, const BatchNormTensors& norm) {
  Moments moments = moments_of(z);
  if (norm.over_ranks != nullptr) merge_over_ranks(moments, norm);
  Normalisation result{.batch = true,
                       .mean = moments.mean,
                       .inverse = {},
                       .rows = moments.rows,
                       .over_ranks = norm.over_ranks,
                       .counts = norm.counts};
  const double rows = std::max(moments.rows, 1.0);
  std::vector<double> variance = std::move(moments.squares);
  for (double& v : variance) v /= rows;
  result.inverse.reserve(variance.size());
  for (const double v : variance) result.inverse.push_back(1 / std::sqrt(v + norm.eps));

  std::vector<double> seen = std::move(moments.mean);  // the layer's bias shifts only the mean
  if (bias.defined()) {
    const std::vector<double> b = doubles(bias);
    for (std::size_t c = 0; c < seen.size(); ++c) seen[c] += b[c];
  }
  if (result.rows == 0) return result;  // nothing to move towards
  for (double& v : variance) v *= rows > 1 ? rows / (rows - 1) : 1;
  move_running(norm.running_mean, seen, norm.momentum);
  move_running(norm.running_var, variance, norm.momentum);
  return result;
}

Normalisation by_running(const Tensor& bias, const BatchNormTensors& norm) {
  Normalisation result{.batch = false, .mean = doubles(norm.running_mean), .inverse = {}};
  for (const double v : doubles(norm.running_var))
    result.inverse.push_back(1 / std::sqrt(v + norm.eps));
  if (bias.defined()) {
    const std::vector<double> b = doubles(bias);
    for (std::size_t c = 0; c < b.size(); ++c) result.mean[c] -= b[c];
  }
  return result;
}

}  // namespace hgnet::detail
