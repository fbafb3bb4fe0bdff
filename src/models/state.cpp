#include "models/state.hpp"

#include <sstream>

#include "hgnet/core/error.hpp"
#include "models/old_names.hpp"

namespace hgnet {

ModelState model_state(const Model& model) {
  ModelState result;
  for (const auto& item : model.named_parameters()) result[item.key()] = item.value();
  for (const auto& item : model.named_buffers()) result[item.key()] = item.value();
  return result;
}

ModelState with_current_names(const Model& model, const ModelState& state) {
  ModelState result;
  for (const auto& [name, tensor] : state)
    result[current_tensor_name(model.config(), name)] = tensor;
  return result;
}

void set_model_state(Model& model, const ModelState& state) {
  ModelState own = model_state(model);
  for (const auto& [name, tensor] : own) {
    const auto found = state.find(name);
    if (found == state.end()) throw Error("tensor " + name + " is missing");
    if (found->second.sizes() == tensor.sizes()) continue;
    std::ostringstream text;
    text << "tensor " << name << " has shape " << found->second.sizes() << "; expected "
         << tensor.sizes();
    throw Error(text.str());
  }
  for (const auto& [name, tensor] : state) {
    if (own.count(name) == 0) throw Error("tensor " + name + " does not belong to this model");
  }
  const torch::NoGradGuard no_grad;
  for (auto& [name, tensor] : own) tensor.copy_(state.at(name));
}

}  // namespace hgnet
