#include "hgnet/core/version.hpp"

#include "ops/cpu/kernels.hpp"

namespace hgnet {

std::string version() { return HGNET_VERSION; }

std::string instruction_set() { return cpu::instruction_set(); }

}  // namespace hgnet
