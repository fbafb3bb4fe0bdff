#pragma once

#include <torch/types.h>

namespace hgnet {

/// y = x W for x [N, in] and W^T `weight` [out, in], with many rows and small W, as layers have them. A general matrix product packs
/// and pads its operands first, which for such shapes costs as much as the product; up to a width of 256 ours goes straight over the
/// rows, beyond that it calls libtorch's. Backward: dx = dy W^T, dW^T = dy^T x.
torch::Tensor small_linear(const torch::Tensor& x, const torch::Tensor& weight);

/// The product, and the rows x again. Whoever uses the rows further on takes these: the gradient that comes back through them is
/// then added in the pass that makes dx, where libtorch would need a pass of its own.
struct ProductAndRows {
  torch::Tensor y;
  torch::Tensor x;
};

ProductAndRows small_linear_and_rows(const torch::Tensor& x, const torch::Tensor& weight);

}  // namespace hgnet
