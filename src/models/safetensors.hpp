// The safetensors form: 8 bytes of header length, a JSON header with type, shape and place of each tensor, their bytes. Without torch.

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
  bool has_checksum = false;  // of the whole file, or from version 0.1 of the numbers: it was right
};

/// With a checksum of the whole file in the metadata.
std::string to_safetensors(const std::map<std::string, TensorBytes>& tensors,
                           std::map<std::string, std::string> metadata);

/// The result points into `bytes`. Throws InvalidFile (with `file` as its name) for bytes that are not of this form: every length, place
/// and type is checked, tensors lie one behind the other and fill the file, and a checksum that is there is right.
Safetensors parse_safetensors(std::string_view bytes, const std::string& file);

}  // namespace hgnet
