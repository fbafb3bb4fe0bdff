// A line of epochs.jsonl.

#pragma once

#include <string>

#include "hgnet/train/fit.hpp"

namespace hgnet {

std::string epoch_to_json(const EpochRecord& record);

/// Throws InvalidFile, with `file` and `line`, for text that is not such a line.
EpochRecord epoch_from_json(const std::string& text, const std::string& file, std::int64_t line);

}  // namespace hgnet
