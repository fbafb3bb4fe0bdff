#pragma once

#include <string>

#include "hgnet/config/model_config.hpp"

namespace hgnet {

/// Version 0.1 named tensors "network.up0.weight" where they are "network.coarsen0.layer.weight" today. A name of today stays.
std::string current_tensor_name(const ModelConfig& config, const std::string& name);

}  // namespace hgnet
