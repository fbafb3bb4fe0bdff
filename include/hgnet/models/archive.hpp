#pragma once

#include <filesystem>
#include <memory>

#include "hgnet/models/model.hpp"

namespace hgnet {

/// Writes a model's configuration, parameters and running statistics as safetensors, which other
/// tools can read (float32 or float64, the configuration and a checksum of the file under
/// "__metadata__"). The file appears complete or not at all. Throws Error if it cannot be written.
void save_model(const Model& model, const std::filesystem::path& file);

/// Loads a model from such a file, in evaluation mode. Runs nothing from the file, and takes memory
/// in proportion to its size. Throws InvalidFile, saying what is wrong, for any other file, a
/// damaged or edited one, or one whose tensors do not match its configuration.
std::shared_ptr<Model> load_model(const std::filesystem::path& file);

/// Loads only the weights, into an existing model; also from safetensors of other tools, which have
/// neither configuration nor checksum. Throws Error, naming the first field or tensor that differs,
/// if the file has another configuration; the model is then unchanged. Seeds of coarsenings and
/// dropout rates may differ.
void load_weights(Model& model, const std::filesystem::path& file);

}  // namespace hgnet
