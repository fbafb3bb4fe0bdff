#include "models/named_tensors.hpp"

#include <cstring>
#include <vector>

#include "hgnet/core/error.hpp"
#include "models/safetensors.hpp"

namespace hgnet {

std::string to_safetensors(const NamedTensors& content) {
  std::vector<torch::Tensor> held;
  std::map<std::string, TensorBytes> tensors;
  for (const auto& [name, tensor] : content.tensors) {
    const torch::Tensor& values = held.emplace_back(tensor.detach().contiguous());
    const bool is_double = values.scalar_type() == torch::kFloat64;
    if (!is_double && values.scalar_type() != torch::kFloat32)
      throw Error("safetensors: only float32 and float64 are written");
    tensors[name] = {is_double,
                     values.sizes().vec(),
                     {static_cast<const char*>(values.data_ptr()), values.nbytes()}};
  }
  return to_safetensors(tensors, content.metadata);
}

NamedTensors from_safetensors(std::string_view bytes, const std::string& file) {
  Safetensors parsed = parse_safetensors(bytes, file);
  NamedTensors result{{}, std::move(parsed.metadata), parsed.has_checksum};
  for (const auto& [name, stored] : parsed.tensors) {
    const torch::Tensor tensor =
        torch::empty(stored.shape, stored.is_double ? torch::kFloat64 : torch::kFloat32);
    if (!stored.bytes.empty())
      std::memcpy(tensor.data_ptr(), stored.bytes.data(), stored.bytes.size());
    result.tensors[name] = tensor;
  }
  return result;
}

}  // namespace hgnet
