#pragma once

#include <cstdint>
#include <span>

#include "hgnet/train/inputs.hpp"

namespace hgnet {

/// Whether the model has running statistics, which evaluation uses in place of a batch's own.
bool has_running_statistics(const Model& model);

/// Replaces the running statistics by the mean of those of the samples' batches, with the weights
/// as they are. In training the statistics follow weights that keep moving; this tells whether a
/// bad score is the fault of the weights or of the statistics. Dropout is on, as in training.
/// Leaves the model in evaluation mode.
void recalibrate(Model& model, const FitInputs& inputs, std::span<const std::int64_t> samples,
                 std::int64_t batch);

}  // namespace hgnet
