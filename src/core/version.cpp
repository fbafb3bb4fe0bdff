#include "hgnet/core/version.hpp"

namespace hgnet {

std::string version() { return HGNET_VERSION; }

}  // namespace hgnet
