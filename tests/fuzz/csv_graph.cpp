#include "data/readers.hpp"
#include "fuzz/target.hpp"
#include "hgnet/core/error.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const hgnet::FileSet files(
      "own", hgnet::fuzz::files_of(hgnet::fuzz::text_of(data, size), {"nodes.csv", "edges.csv"}));
  try {
    validate(read_csv_graph(files));
  } catch (const hgnet::Error&) {
  }
  return 0;
}
