#pragma once

#include <filesystem>
#include <memory>

#include "hgnet/models/model.hpp"

namespace hgnet {

/// Writes a model's configuration, parameters and running statistics. A name that ends in ".safetensors" gives that form,
/// which other tools read (float32 or float64, the configuration under "__metadata__"); any other a libtorch archive.
/// The file appears whole or not at all. Throws Error when it cannot be written.
void save_model(const Model& model, const std::filesystem::path& file);

/// The model of such a file, of either form, in evaluation mode. Throws InvalidFile, saying what is wrong, for another
/// file, a damaged one, or one whose tensors are not those of its configuration.
std::shared_ptr<Model> load_model(const std::filesystem::path& file);

/// Only the weights, into a model that exists. Throws Error, naming the first field or tensor that differs, when the file is of
/// another configuration; the model is then unchanged. Seeds of coarsenings and dropouts may differ.
void load_weights(Model& model, const std::filesystem::path& file);

}  // namespace hgnet
