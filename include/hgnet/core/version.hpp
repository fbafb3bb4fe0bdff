#pragma once

#include <string>

namespace hgnet {

/// "major.minor.patch" of this library.
std::string version();

}  // namespace hgnet
