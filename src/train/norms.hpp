#pragma once

#include <vector>

#include "hgnet/models/model.hpp"
#include "hgnet/nn/tail.hpp"

namespace hgnet {

/// Those with running statistics.
inline std::vector<TailImpl*> norms_of(const Model& model) {
  std::vector<TailImpl*> norms;
  for (const auto& module : model.modules(/*include_self=*/false)) {
    auto* tail = dynamic_cast<TailImpl*>(module.get());
    if (tail != nullptr && tail->running_mean.defined()) norms.push_back(tail);
  }
  return norms;
}

}  // namespace hgnet
