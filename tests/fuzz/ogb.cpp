#include "data/readers.hpp"
#include "fuzz/target.hpp"
#include "hgnet/core/error.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const hgnet::FileSet files(
      "ogb",
      hgnet::fuzz::files_of(hgnet::fuzz::text_of(data, size),
                            {"raw/num-node-list.csv", "raw/num-edge-list.csv", "raw/node-feat.csv",
                             "raw/edge.csv", "raw/graph-label.csv", "split/s/train.csv",
                             "split/s/valid.csv", "split/s/test.csv", "raw/edge-feat.csv"}));
  try {
    validate(read_ogb(files));
  } catch (const hgnet::Error&) {
  }
  return 0;
}
