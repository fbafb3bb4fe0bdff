#include "data/pickle.hpp"

#include "fuzz/target.hpp"
#include "hgnet/core/error.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto attempt = [&](auto unpickle) {
    try {
      unpickle(hgnet::ByteStream::from_memory("pickle", hgnet::fuzz::text_of(data, size)));
    } catch (const hgnet::Error&) {
    }
  };
  attempt(hgnet::unpickle_csr_matrix);
  attempt(hgnet::unpickle_matrix);
  attempt(hgnet::unpickle_neighbours);
  return 0;
}
