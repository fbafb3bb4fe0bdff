#pragma once

#include <filesystem>
#include <memory>

#include "hgnet/models/model.hpp"

namespace hgnet {

/// Writes a model's configuration, parameters and running statistics. A file name that ends in
/// ".safetensors" selects that format, which other tools can read (float32 or float64, the
/// configuration under "__metadata__"); any other name gives a libtorch archive. The file appears
/// complete or not at all. Throws Error if it cannot be written.
void save_model(const Model& model, const std::filesystem::path& file);

/// Loads a model from a file of either format, in evaluation mode. Throws InvalidFile, saying what
/// is wrong, for any other file, a damaged one, or one whose tensors do not match its
/// configuration.
std::shared_ptr<Model> load_model(const std::filesystem::path& file);

/// Loads only the weights, into an existing model. Throws Error, naming the first field or tensor
/// that differs, if the file has another configuration; the model is then unchanged. Seeds of
/// coarsenings and dropout rates may differ.
void load_weights(Model& model, const std::filesystem::path& file);

}  // namespace hgnet
