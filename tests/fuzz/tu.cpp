#include "data/readers.hpp"
#include "fuzz/target.hpp"
#include "hgnet/core/error.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const hgnet::FileSet files(
      "tu", hgnet::fuzz::files_of(hgnet::fuzz::text_of(data, size),
                                  {"X_A.txt", "X_graph_indicator.txt", "X_graph_labels.txt",
                                   "X_node_labels.txt", "X_node_attributes.txt"}));
  for (const bool attributes : {false, true}) {
    try {
      validate(read_tu(files, attributes));
    } catch (const hgnet::Error&) {
    }
  }
  return 0;
}
