#include "ops/common.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include <cstdint>
#include <vector>

namespace hgnet::detail {

torch::Tensor empty_result(torch::IntArrayRef shape, const torch::TensorOptions& options) {
  torch::Tensor result = torch::empty(shape, options);
#if defined(__linux__)
  constexpr std::size_t kHugePage = std::size_t{1} << 21;
  if (result.nbytes() >= 8 * kHugePage) {
    const auto begin = reinterpret_cast<std::uintptr_t>(result.data_ptr());
    const std::uintptr_t first = (begin + kHugePage - 1) / kHugePage * kHugePage;
    const std::uintptr_t last = (begin + result.nbytes()) / kHugePage * kHugePage;
    // Only a hint: if it is refused, the pages stay small and nothing else changes.
    static_cast<void>(madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE));
  }
#endif
  return result;
}

torch::Tensor empty_with_rows(const torch::Tensor& x, std::int64_t rows) {
  std::vector<std::int64_t> shape = x.sizes().vec();
  shape[0] = rows;
  return empty_result(shape, x.options());
}

}  // namespace hgnet::detail
