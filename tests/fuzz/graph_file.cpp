#include "data/readers.hpp"
#include "fuzz/target.hpp"
#include "hgnet/core/error.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const char* ending : {".mtx", ".edges", ".txt"}) {
    try {
      hgnet::read_graph(hgnet::ByteStream::from_memory("graph", hgnet::fuzz::text_of(data, size)),
                        ending);
    } catch (const hgnet::Error&) {
    }
  }
  return 0;
}
