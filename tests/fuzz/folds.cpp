#include "fuzz/target.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/data/splits.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    hgnet::parse_folds(hgnet::fuzz::text_of(data, size), "folds");
  } catch (const hgnet::Error&) {
  }
  return 0;
}
