#pragma once

#include <filesystem>
#include <memory>

#include "hgnet/models/model.hpp"

namespace hgnet {

/// Writes a model's configuration, parameters and running statistics as safetensors, which other tools read (float32 or float64, the
/// configuration and a checksum of the file under "__metadata__"). The file appears whole or not at all. Throws Error when it
/// cannot be written.
void save_model(const Model& model, const std::filesystem::path& file);

/// The model of such a file, in evaluation mode. Reading runs nothing of the file and takes no more memory than its own size suggests. Throws
/// InvalidFile, saying what is wrong, for another file, a damaged or edited one, or one whose tensors are not those of its configuration.
std::shared_ptr<Model> load_model(const std::filesystem::path& file);

/// Only the weights, into a model that exists; also from safetensors of other tools, which have neither configuration nor checksum. Throws
/// Error, naming the first field or tensor that differs, when the file is of another configuration; the model is then unchanged.
/// Seeds of coarsenings and dropouts may differ.
void load_weights(Model& model, const std::filesystem::path& file);

}  // namespace hgnet
