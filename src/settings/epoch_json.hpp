// A line of epochs.jsonl.

#pragma once

#include <string>

#include "hgnet/settings/epoch_record.hpp"

namespace hgnet {

std::string epoch_to_json(const EpochRecord& record);

/// Throws InvalidFile, naming `file` and `line`, for any other text, and for another epoch than
/// `line`.
EpochRecord epoch_from_json(const std::string& text, const std::string& file, std::int64_t line);

}  // namespace hgnet
