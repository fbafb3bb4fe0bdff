#pragma once

#include <torch/types.h>

namespace hgnet {

/// y = x W + b for x [N, in], W^T `weight` [out, in] and b `bias` [out], which may be undefined: 0;
/// for many rows and small W, as layers have them. A general matrix product first packs and pads
/// its operands, which for such shapes costs as much as the product. Up to a width of 256 this op
/// works on the rows directly; beyond that it calls libtorch's product. Backward:
/// dx = dy W^T, dW^T = dy^T x, db = sum of the rows of dy.
torch::Tensor small_linear(const torch::Tensor& x, const torch::Tensor& weight,
                           const torch::Tensor& bias = {});

/// The product x W, and the rows x again. Code that uses the rows later should use these: the
/// gradient that flows back through them is then added in the pass that computes dx, where libtorch
/// would need a separate pass.
struct ProductAndRows {
  torch::Tensor y;
  torch::Tensor x;
};

ProductAndRows small_linear_and_rows(const torch::Tensor& x, const torch::Tensor& weight);

}  // namespace hgnet
