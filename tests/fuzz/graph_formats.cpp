#include "data/graph_formats.hpp"
#include "data/readers.hpp"
#include "fuzz/target.hpp"
#include "hgnet/core/error.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const char* ending : {".graphml", ".gml", ".json"}) {
    try {
      const auto tables = hgnet::read_graph_tables(
          hgnet::ByteStream::from_memory("graph", hgnet::fuzz::text_of(data, size)), ending);
      validate(dataset_of(*tables, {.directed = hgnet::Directed::kSymmetrise}));
    } catch (const hgnet::Error&) {
    }
  }
  return 0;
}
