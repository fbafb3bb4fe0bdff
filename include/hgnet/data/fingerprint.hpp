#pragma once

#include <map>
#include <string>

#include "hgnet/data/dataset.hpp"

namespace hgnet {

/// A checksum for each part of the content, by the part's name: "graphs", "features", "targets". The same on every machine and in
/// every process; names of samples and splits do not count. O(nodes + edges).
std::map<std::string, std::string> fingerprint(const Dataset& dataset);

std::string fingerprint(const Split& split);

}  // namespace hgnet
