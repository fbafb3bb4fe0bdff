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

void check_tensors(const ModelState& state, const ModelState& expected) {
  for (const auto& [name, tensor] : expected) {
    const auto found = state.find(name);
    if (found == state.end()) throw Error("tensor " + name + " is missing");
    if (found->second.sizes() == tensor.sizes() &&
        found->second.scalar_type() == tensor.scalar_type())
      continue;
    std::ostringstream text;
    text << "tensor " << name << " has shape " << found->second.sizes() << " and type "
         << found->second.scalar_type() << "; expected " << tensor.sizes() << " and "
         << tensor.scalar_type();
    throw Error(text.str());
  }
  for (const auto& [name, tensor] : state) {
    if (!expected.contains(name)) throw Error("tensor " + name + " is not expected");
  }
}

void set_model_state(Model& model, const ModelState& state) {
  ModelState own = model_state(model);
  ModelState expected = own;
  for (const std::string& name : model.lists()) {
    const auto found = state.find(name);
    if (found != state.end() && found->second.dim() == 1)
      expected[name] = own.at(name).new_empty(found->second.sizes());
  }
  check_tensors(state, expected);
  const torch::NoGradGuard no_grad;
  for (const std::string& name : model.lists()) own.at(name).resize_(state.at(name).sizes());
  for (auto& [name, tensor] : own) tensor.copy_(state.at(name));
}

}  // namespace hgnet
