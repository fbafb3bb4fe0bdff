// A line of epochs.jsonl.

#pragma once

#include <string>

#include "hgnet/train/epoch_record.hpp"

namespace hgnet {

std::string epoch_to_json(const EpochRecord& record);

/// Throws InvalidFile, with `file` and `line`, for text that is not the line of that number, which epochs count from 1 as well.
EpochRecord epoch_from_json(const std::string& text, const std::string& file, std::int64_t line);

}  // namespace hgnet
