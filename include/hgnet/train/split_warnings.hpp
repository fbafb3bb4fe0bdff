#pragma once

#include <span>
#include <string>
#include <vector>

#include "hgnet/data/dataset.hpp"

namespace hgnet {

/// What makes scores on these splits unreliable, one sentence each: no test or validation samples;
/// all training samples of one class; fewer than 5 test samples of a class.
std::vector<std::string> split_warnings(const Dataset& dataset, std::span<const Split> splits);

}  // namespace hgnet
