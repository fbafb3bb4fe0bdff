#include "data/readers.hpp"
#include "fuzz/target.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/data/encoding.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const hgnet::FileSet files("own",
                             hgnet::fuzz::files_of(hgnet::fuzz::text_of(data, size),
                                                   {"nodes.csv", "edges.csv", "graphs.csv"}));
  try {
    const hgnet::Dataset dataset = read_csv_graph(files);
    validate(dataset);
    validate(encoded(dataset, fit_encoding(dataset, {}, {true, hgnet::Missing::kIndicator})));
  } catch (const hgnet::Error&) {
  }
  return 0;
}
