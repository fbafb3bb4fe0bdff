#pragma once

#include <string>
#include <vector>

#include "hgnet/train/run.hpp"

namespace hgnet {

/// What a number of fits of one kind brought together: mean, sample standard deviation and values of every metric. A JSON object; see docs/file-formats.md.
std::string summarise(const std::vector<FitOutcome>& outcomes);

}  // namespace hgnet
