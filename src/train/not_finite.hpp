#pragma once

#include <string>

#include "hgnet/models/model.hpp"

namespace hgnet {

/// The first place at which numbers stop being finite, from the features on: "parameter network...", "layer network...".
std::string where_not_finite(Model& model, const Input& input);

}  // namespace hgnet
