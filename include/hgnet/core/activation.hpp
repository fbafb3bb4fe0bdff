#pragma once

#include <array>

#include "hgnet/core/enum_names.hpp"

namespace hgnet {

/// relu: max(x, 0). leaky-relu: x, or 0.01 x below 0. elu: x, or exp(x) - 1 below 0.
enum class Activation { kNone, kRelu, kLeakyRelu, kElu };

inline constexpr double kLeakyReluSlope = 0.01;

template <>
struct EnumNames<Activation> {
  static constexpr const char* what = "activation";
  static constexpr std::array<std::pair<Activation, const char*>, 4> values{
      {{Activation::kNone, "none"},
       {Activation::kRelu, "relu"},
       {Activation::kLeakyRelu, "leaky-relu"},
       {Activation::kElu, "elu"}}};
};

}  // namespace hgnet
