#include "hgnet/ops/instruction_set.hpp"

#include "ops/cpu/kernels.hpp"

namespace hgnet {

std::string instruction_set() { return cpu::instruction_set(); }

}  // namespace hgnet
