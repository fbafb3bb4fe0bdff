#pragma once

#include <string>

#include "hgnet/models/model.hpp"

namespace hgnet {

/// The first place where values stop being finite, starting with the features: "parameter
/// network...", "layer network...".
std::string where_not_finite(Model& model, const Input& input);

}  // namespace hgnet
