// A model's parameters and running statistics by name.

#pragma once

#include <map>
#include <string>

#include "hgnet/models/model.hpp"

namespace hgnet {

using ModelState = std::map<std::string, torch::Tensor>;

/// Shares the model's tensors.
ModelState model_state(const Model& model);

/// The state under current names: see current_tensor_name.
ModelState with_current_names(const Model& model, const ModelState& state);

/// Throws Error, naming the first tensor of `state` that is missing, has another shape or type than
/// in `expected`, or is unknown.
void check_tensors(const ModelState& state, const ModelState& expected);

/// Copies the tensors. Throws as check_tensors does; the model is then unchanged.
void set_model_state(Model& model, const ModelState& state);

}  // namespace hgnet
