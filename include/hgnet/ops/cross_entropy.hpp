#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

namespace hgnet {

/// The mean over the rows i with a class c = classes[i] >= 0 of -log softmax(x_i)_c, for x [N, K].
/// `weights` w [K] may be undefined: 1; else the mean is weighted with w_c. 0 if no row has a
/// class. As a tensor without dimensions. Backward: dx_ik = w_c (softmax(x_i)_k - [k = c]) / sum of
/// w_c.
torch::Tensor cross_entropy(const torch::Tensor& x, const std::vector<std::int32_t>& classes,
                            const torch::Tensor& weights = {});

}  // namespace hgnet
