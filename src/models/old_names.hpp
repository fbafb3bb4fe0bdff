#pragma once

#include <string>

#include "hgnet/config/model_config.hpp"

namespace hgnet {

/// Version 0.1 used names such as "network.up0.weight" for what is now
/// "network.coarsen0.layer.weight". Current names are returned unchanged.
std::string current_tensor_name(const ModelConfig& config, const std::string& name);

}  // namespace hgnet
