// The safetensors format: 8 bytes of header length, a JSON header with type, shape and offsets of
// each tensor, then their bytes. Without torch.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hgnet {

/// A tensor's numbers, float32 or float64, row-major.
struct TensorBytes {
  bool is_double = false;
  std::vector<std::int64_t> shape;
  std::string_view bytes;
};

struct Safetensors {
  std::map<std::string, TensorBytes> tensors;
  std::map<std::string, std::string> metadata;
  bool has_checksum = false;  // which was right: of the file, or in version 0.1 of the tensors
};

/// Adds a checksum of the whole file to the metadata.
std::string to_safetensors(const std::map<std::string, TensorBytes>& tensors,
                           std::map<std::string, std::string> metadata);

/// The result points into `bytes`. Throws InvalidFile, naming `file`, for anything else: every
/// length, offset and type is checked, tensors follow each other without gaps to the end of the
/// file, and a checksum, if there is one, is right.
Safetensors parse_safetensors(std::string_view bytes, const std::string& file);

}  // namespace hgnet
