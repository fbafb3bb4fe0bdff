#pragma once

#include <span>
#include <string>

#include "hgnet/models/model.hpp"
#include "hgnet/train/not_finite.hpp"

namespace hgnet {

/// One pass in the usual case: a sum is finite only if all its terms are.
bool all_finite(const torch::Tensor& tensor);

/// The first place where values stop being finite, starting with the features: "parameter
/// network...", "layer network...".
std::string where_not_finite(Model& model, const Input& input);

/// Throws NotFinite unless all logits are finite. Row i of them is the model's answer to the input
/// for sample samples[i].
void check_finite(Model& model, const Input& input, const torch::Tensor& logits,
                  std::span<const std::int64_t> samples);

}  // namespace hgnet
