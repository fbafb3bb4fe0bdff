// The safetensors form: 8 bytes of header length, a JSON header with type, shape and place of each tensor, their bytes.

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

/// Throws InvalidFile (with `file` as its name) for bytes that are not of this form: every length, place and type is checked.
NamedTensors from_safetensors(const std::string& bytes, const std::filesystem::path& file);

}  // namespace hgnet
