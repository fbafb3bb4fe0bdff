#include "hgnet/nn/init.hpp"

#include <cmath>

namespace hgnet::init {

torch::Tensor uniform(torch::IntArrayRef shape, double bound, Generator& generator) {
  torch::Tensor out = torch::empty(shape, torch::kFloat32);
  auto* values = out.data_ptr<float>();
  for (std::int64_t i = 0; i < out.numel(); ++i)
    values[i] = static_cast<float>((2 * generator.uniform() - 1) * bound);
  return out;
}

torch::Tensor glorot(torch::IntArrayRef shape, std::int64_t fan_in, std::int64_t fan_out,
                     Generator& generator) {
  return uniform(shape, std::sqrt(6.0 / static_cast<double>(fan_in + fan_out)), generator);
}

}  // namespace hgnet::init
