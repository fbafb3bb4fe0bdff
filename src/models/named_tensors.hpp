// Tensors by name, as safetensors files contain them.

#pragma once

#include <torch/types.h>

#include <map>
#include <string>

namespace hgnet {

struct NamedTensors {
  std::map<std::string, torch::Tensor> tensors;
  std::map<std::string, std::string> metadata;
  bool has_checksum = false;  // of a file: see Safetensors
};

/// Float32 and float64 only.
std::string to_safetensors(const NamedTensors& content);

/// Throws as parse_safetensors does.
NamedTensors from_safetensors(std::string_view bytes, const std::string& file);

}  // namespace hgnet
