#include "train/checkpoint.hpp"

#include "fuzz/target.hpp"
#include "hgnet/core/error.hpp"
#include "models/safetensors.hpp"

// Up to where tensors are compared with the fit's. The kept inputs have no checksum.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes = hgnet::fuzz::text_of(data, size);
  try {
    const hgnet::Safetensors file = hgnet::parse_safetensors(bytes, "checkpoint");
    const hgnet::CheckpointNumbers numbers = hgnet::checkpoint_numbers(file.metadata, 5);
    const hgnet::FitCounters& counters = numbers.counters;
    if (counters.batch < 0 || counters.batch > 5 || counters.best_epoch > counters.epoch)
      __builtin_trap();
    hgnet::FitOrigin origin;
    origin.config.dataset = "cora";
    origin.data = {{"graphs", "0123456789abcdef"}};
    check_origin(file.metadata, origin);
  } catch (const hgnet::Error&) {
  }
  return 0;
}
