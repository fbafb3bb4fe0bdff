#pragma once

#include <map>
#include <string>

#include "hgnet/data/dataset.hpp"

namespace hgnet {

/// A checksum of each part of the content: "graphs", "features", "targets". The same in every
/// process; names of samples, and splits, do not count. O(nodes + edges).
std::map<std::string, std::string> fingerprint(const Dataset& dataset);

std::string fingerprint(const Split& split);

}  // namespace hgnet
