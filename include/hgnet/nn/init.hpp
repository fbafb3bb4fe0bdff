#pragma once

#include <torch/types.h>

#include "hgnet/core/random.hpp"

// Initial values of parameters, drawn from a generator that is passed in: two models made at the
// same time on two threads do not affect each other. float32.

namespace hgnet::init {

/// Uniform in [-bound, bound].
torch::Tensor uniform(torch::IntArrayRef shape, double bound, Generator& generator);

/// Glorot (Xavier) uniform for `fan_in` inputs and `fan_out` outputs: bound sqrt(6 / (in + out)).
torch::Tensor glorot(torch::IntArrayRef shape, std::int64_t fan_in, std::int64_t fan_out,
                     Generator& generator);

}  // namespace hgnet::init
