#include "hgnet/models/archive.hpp"

#include "hgnet/config/limits.hpp"
#include "hgnet/core/atomic_file.hpp"
#include "hgnet/core/text.hpp"
#include "models/named_tensors.hpp"
#include "models/state.hpp"

namespace hgnet {
namespace {

constexpr const char* kConfigKey = "hgnet";

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& what) {
  throw InvalidFile(file.string(), 0, what);
}

NamedTensors read(const std::filesystem::path& file) {
  const std::string bytes = read_whole(file);
  if (bytes.starts_with("PK"))
    fail(file,
         "a libtorch archive, which is not read: such a file can hold a program. Version 0.1 makes "
         "a "
         "file of weights of its own archives: save_model(*load_model(\"model.pt\"), "
         "\"model.safetensors\")");
  NamedTensors content = from_safetensors(bytes, file.string());
  if (content.metadata.contains(kConfigKey) && !content.has_checksum)
    fail(file, "contains a model configuration, but no checksum");
  return content;
}

/// The configuration in a file.
ModelConfig config_of(const NamedTensors& content, const std::filesystem::path& file) {
  const auto found = content.metadata.find(kConfigKey);
  if (found == content.metadata.end()) fail(file, "contains tensors, but no model configuration");
  try {
    ModelConfig config = model_config_from_json(found->second);
    check(config);
    return config;
  } catch (const Error& error) {
    fail(file, error.what());
  }
}

/// Checks before a model is made, which takes as much memory as its configuration asks for.
void check_size(const ModelConfig& config, const NamedTensors& content,
                const std::filesystem::path& file) {
  double numbers = 0;
  for (const auto& [name, tensor] : content.tensors) numbers += static_cast<double>(tensor.numel());
  const double least = least_parameters(config);
  if (least > numbers)
    fail(file, "contains " + short_number(numbers) + " numbers; its configuration needs " +
                   short_number(least) + " or more");
}

void take_tensors(Model& model, const NamedTensors& content, const std::filesystem::path& file) {
  try {
    set_model_state(model, with_current_names(model, content.tensors));
  } catch (const Error& error) {
    fail(file, error.what());
  }
}

/// Without what changes only training, or how the input is prepared, and none of the tensors.
ModelConfig essence(ModelConfig config) {
  config.coarsening_seed = 0;
  config.norm_momentum = ModelConfig().norm_momentum;
  config.dropout = config.input_dropout = config.edge_dropout = 0;
  config.attention_dropout = config.classifier_dropout = 0;
  return config;
}

}  // namespace

void save_model(const Model& model, const std::filesystem::path& file) {
  write_atomically(file,
                   to_safetensors({model_state(model), {{kConfigKey, to_json(model.config())}}}));
}

std::shared_ptr<Model> load_model(const std::filesystem::path& file) {
  const NamedTensors content = read(file);
  const ModelConfig config = config_of(content, file);
  check_size(config, content, file);
  const auto model = make_model(config, 0);
  if (!content.tensors.empty() && content.tensors.begin()->second.scalar_type() == torch::kFloat64)
    model->to(torch::kFloat64);
  take_tensors(*model, content, file);
  model->eval();
  return model;
}

void load_weights(Model& model, const std::filesystem::path& file) {
  const NamedTensors content = read(file);
  if (content.metadata.contains(kConfigKey)) {
    const std::string field =
        first_difference(essence(model.config()), essence(config_of(content, file)));
    if (!field.empty())
      throw Error(file.string() + ": weights of another model (here and in the file): " + field);
  }
  take_tensors(model, content, file);
}

}  // namespace hgnet
