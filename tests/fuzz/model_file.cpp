#include "fuzz/target.hpp"
#include "hgnet/config/limits.hpp"
#include "hgnet/core/error.hpp"
#include "models/safetensors.hpp"

// Up to where tensors are made. The kept inputs have no checksum, which no random change gets past.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes = hgnet::fuzz::text_of(data, size);
  try {
    const hgnet::Safetensors file = hgnet::parse_safetensors(bytes, "model");
    hgnet::to_safetensors(file.tensors, {});
    const auto config = file.metadata.find("hgnet");
    if (config == file.metadata.end()) return 0;
    const hgnet::ModelConfig model = hgnet::model_config_from_json(config->second);
    check(model);
    hgnet::least_parameters(model);
  } catch (const hgnet::Error&) {
  }
  return 0;
}
