#pragma once

#include <string>
#include <vector>

#include "hgnet/config/model_config.hpp"
#include "hgnet/data/dataset.hpp"

namespace hgnet {

/// The parts of the data set that the model does not read, as "ignored: ...".
std::vector<std::string> ignored_by(const ModelConfig& config, const Dataset& dataset);

/// Throws InvalidDataset, naming the edge, for a negative weight if the model reads weights: sums
/// of weights are divided by, or say how close nodes are.
void check_weights(const ModelConfig& config, const Dataset& dataset);

}  // namespace hgnet
