#include "data/byte_stream.hpp"
#include "fuzz/target.hpp"
#include "hgnet/core/error.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    hgnet::ByteStream::from_memory("a.gz", hgnet::fuzz::text_of(data, size)).read_all(1 << 28);
  } catch (const hgnet::Error&) {
  }
  return 0;
}
