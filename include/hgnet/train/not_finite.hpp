#pragma once

#include "hgnet/core/error.hpp"

namespace hgnet {

/// A loss or a model's answer is not finite; the message names epoch and batch, or the sample, and
/// the layer.
class NotFinite : public Error {
 public:
  using Error::Error;
};

/// What to do about a model's answer that is not finite.
enum class NonFinite { kRefuse, kAllow };

}  // namespace hgnet
