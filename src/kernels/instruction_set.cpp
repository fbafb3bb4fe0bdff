#include "hgnet/kernels/instruction_set.hpp"

#include "kernels/kernels.hpp"

namespace hgnet {

std::string instruction_set() { return kernels::instruction_set(); }

}  // namespace hgnet
