#include "train/not_finite.hpp"

#include <cmath>

#include "hgnet/nn/tail.hpp"

namespace hgnet {

using torch::Tensor;

bool all_finite(const Tensor& tensor) {
  return std::isfinite(tensor.sum(torch::kFloat64).item<double>()) ||
         tensor.isfinite().all().item<bool>();
}

std::string where_not_finite(Model& model, const Input& input) {
  if (!input.x.is_sparse() && !all_finite(input.x.dense())) return "the features";
  for (const auto& item : model.named_parameters()) {
    if (!all_finite(item.value())) return "parameter " + item.key();
  }
  for (const auto& item : model.named_buffers()) {
    if (!all_finite(item.value())) return "buffer " + item.key();
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
  const Tensor outputs = model.forward(input);
  observe(false);
  if (!place.empty()) return place;
  return all_finite(outputs) ? "the loss" : "the outputs";
}

void check_finite(Model& model, const Input& input, const Tensor& logits,
                  std::span<const std::int64_t> samples) {
  if (all_finite(logits)) return;
  const auto row = logits.isfinite().all(1).logical_not().nonzero()[0].item<std::int64_t>();
  throw NotFinite("the model's answer for " + std::string(enum_name(model.config().task)) + " " +
                  std::to_string(samples[static_cast<std::size_t>(row)]) +
                  " is not finite; the first value that is not finite is in " +
                  where_not_finite(model, input));
}

}  // namespace hgnet
