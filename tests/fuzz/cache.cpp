#include <cstring>
#include <vector>

#include "data/cache_format.hpp"
#include "fuzz/target.hpp"
#include "hgnet/core/error.hpp"

// After the checksum, which no random change would pass.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::uint64_t> aligned((size + 7) / 8);
  if (size > 0) std::memcpy(aligned.data(), data, size);
  try {
    validate(hgnet::decode_dataset(std::as_bytes(std::span(aligned)).first(size)));
  } catch (const hgnet::Error&) {
  }
  return 0;
}
