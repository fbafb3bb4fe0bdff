#include "hgnet/nn/linear.hpp"

#include <cmath>

#include "hgnet/nn/init.hpp"

namespace hgnet {

LinearImpl::LinearImpl(std::int64_t in, std::int64_t out, Generator& generator) {
  const double bound = 1.0 / std::sqrt(static_cast<double>(in));
  weight = register_parameter("weight", init::uniform({out, in}, bound, generator));
  bias = register_parameter("bias", init::uniform({out}, bound, generator));
}

}  // namespace hgnet
