#include "hgnet/models/archive.hpp"

#include <torch/serialize/input-archive.h>
#include <torch/serialize/output-archive.h>

#include <sstream>

#include "hgnet/core/atomic_file.hpp"
#include "models/safetensors.hpp"
#include "models/state.hpp"

namespace hgnet {
namespace {

constexpr const char* kConfigKey = "hgnet";

/// "t7".
std::string tensor_key(std::size_t number) {
  std::string key = std::to_string(number);
  key.insert(key.begin(), 't');
  return key;
}

/// A libtorch archive. Attribute names must not contain dots, so tensors are numbered and their
/// names listed.
std::string to_archive(const NamedTensors& content) {
  torch::serialize::OutputArchive archive;
  archive.write(kConfigKey, c10::IValue(content.metadata.at(kConfigKey)));
  c10::List<std::string> names;
  for (const auto& [name, tensor] : content.tensors) {
    archive.write(tensor_key(names.size()), tensor.detach());
    names.push_back(name);
  }
  archive.write("names", c10::IValue(names));
  std::ostringstream stream;
  archive.save_to(stream);
  return stream.str();
}

NamedTensors from_archive(const std::string& bytes, const std::filesystem::path& file) {
  try {
    torch::serialize::InputArchive archive;
    archive.load_from(bytes.data(), bytes.size());
    c10::IValue config;
    c10::IValue names;
    archive.read(kConfigKey, config);
    archive.read("names", names);
    NamedTensors result;
    result.metadata[kConfigKey] = config.toStringRef();
    std::size_t number = 0;
    for (const c10::IValue& name : names.toListRef())
      archive.read(tensor_key(number++), result.tensors[name.toStringRef()]);
    return result;
  } catch (const c10::Error& error) {
    throw InvalidFile(file.string(), 0,
                      std::string("not a model: ") + error.what_without_backtrace());
  }
}

NamedTensors read(const std::filesystem::path& file) {
  const std::string bytes = read_whole(file);
  const bool is_zip = bytes.starts_with("PK");
  NamedTensors content = is_zip ? from_archive(bytes, file) : from_safetensors(bytes, file);
  if (content.metadata.count(kConfigKey) == 0)
    throw InvalidFile(file.string(), 0, "contains tensors, but no model configuration");
  return content;
}

void take_tensors(Model& model, const NamedTensors& content, const std::filesystem::path& file) {
  try {
    set_model_state(model, with_current_names(model, content.tensors));
  } catch (const Error& error) {
    throw InvalidFile(file.string(), 0, error.what());
  }
}

/// The configuration without settings that affect only training or the preparation of the input,
/// but none of the tensors.
ModelConfig essence(ModelConfig config) {
  config.coarsening_seed = 0;
  config.dropout = config.input_dropout = config.edge_dropout = 0;
  config.attention_dropout = config.classifier_dropout = 0;
  return config;
}

}  // namespace

void save_model(const Model& model, const std::filesystem::path& file) {
  const NamedTensors content{model_state(model), {{kConfigKey, to_json(model.config())}}};
  const bool safetensors = file.extension() == ".safetensors";
  write_atomically(file, safetensors ? to_safetensors(content) : to_archive(content));
}

std::shared_ptr<Model> load_model(const std::filesystem::path& file) {
  const NamedTensors content = read(file);
  std::shared_ptr<Model> model;
  try {
    model = make_model(model_config_from_json(content.metadata.at(kConfigKey)), 0);
  } catch (const Error& error) {
    throw InvalidFile(file.string(), 0, error.what());
  }
  if (!content.tensors.empty() && content.tensors.begin()->second.scalar_type() == torch::kFloat64)
    model->to(torch::kFloat64);
  take_tensors(*model, content, file);
  model->eval();
  return model;
}

void load_weights(Model& model, const std::filesystem::path& file) {
  const NamedTensors content = read(file);
  const ModelConfig theirs = model_config_from_json(content.metadata.at(kConfigKey));
  const std::string field = first_difference(essence(model.config()), essence(theirs));
  if (!field.empty())
    throw Error(file.string() + ": weights of another model (here and in the file): " + field);
  take_tensors(model, content, file);
}

}  // namespace hgnet
