#include "train/not_finite.hpp"

#include "hgnet/nn/tail.hpp"

namespace hgnet {
namespace {

using torch::Tensor;

bool all_finite(const Tensor& tensor) { return tensor.isfinite().all().item<bool>(); }

}  // namespace

std::string where_not_finite(Model& model, const Input& input) {
  if (!input.x.is_sparse() && !all_finite(input.x.dense())) return "the features";
  for (const auto& item : model.named_parameters()) {
    if (!all_finite(item.value())) return "parameter " + item.key();
  }
  std::string place;
  const auto modules = model.named_modules();
  const auto observe = [&](bool on) {
    for (const auto& item : modules) {
      auto* tail = dynamic_cast<TailImpl*>(item.value().get());
      if (tail == nullptr) continue;
      tail->observer = nullptr;
      if (!on) continue;
      tail->observer = [&place, name = item.key()](const Tensor& result) {
        if (place.empty() && !all_finite(result)) place = "layer " + name;
      };
    }
  };
  const torch::NoGradGuard no_grad;
  observe(true);
  model.forward(input);
  observe(false);
  return place.empty() ? "the loss" : place;
}

}  // namespace hgnet
