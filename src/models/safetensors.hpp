// The safetensors format: 8 bytes of header length, a JSON header with type, shape and offsets of
// each tensor, then their bytes.

#pragma once

#include <torch/types.h>

#include <filesystem>
#include <map>
#include <string>

namespace hgnet {

struct NamedTensors {
  std::map<std::string, torch::Tensor> tensors;
  std::map<std::string, std::string> metadata;
};

std::string to_safetensors(const NamedTensors& content);

/// Throws InvalidFile, naming `file`, for bytes that are not in this format: checks every length,
/// offset and type.
NamedTensors from_safetensors(const std::string& bytes, const std::filesystem::path& file);

}  // namespace hgnet
