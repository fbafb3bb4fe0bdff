#include "ops/common.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include <c10/util/SmallVector.h>

#include <cstdint>

namespace hgnet::detail {

torch::Tensor empty_result(torch::IntArrayRef shape, torch::ScalarType type) {
  torch::Tensor result = empty(shape, type);
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
  c10::SmallVector<std::int64_t, 2> shape(x.sizes().begin(), x.sizes().end());
  shape[0] = rows;
  return empty_result(shape, x.scalar_type());
}

std::vector<double> doubles(const torch::Tensor& tensor) {
  std::vector<double> values(tensor.numel());
  AT_DISPATCH_FLOATING_TYPES(tensor.scalar_type(), "doubles", [&] {
    const auto from = tensor.accessor<scalar_t, 1>();
    for (std::size_t c = 0; c < values.size(); ++c) values[c] = from[static_cast<std::int64_t>(c)];
  });
  return values;
}

}  // namespace hgnet::detail
