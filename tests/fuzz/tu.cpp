#include "data/readers.hpp"
#include "fuzz/target.hpp"
#include "hgnet/core/error.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto contents =
      hgnet::fuzz::files_of(hgnet::fuzz::text_of(data, size),
                            {"X_A.txt", "X_graph_indicator.txt", "X_graph_labels.txt",
                             "X_node_labels.txt", "X_node_attributes.txt", "X_graph_attributes.txt",
                             "X_edge_labels.txt", "X_edge_attributes.txt"});
  // They are read only if there are no labels.
  if (contents.contains("X_graph_attributes.txt")) contents.erase("X_graph_labels.txt");
  const hgnet::FileSet files("tu", contents);
  for (const bool all : {false, true}) {
    try {
      validate(read_tu(files, {.node_attributes = all, .edge_features = all}));
    } catch (const hgnet::Error&) {
    }
  }
  return 0;
}
