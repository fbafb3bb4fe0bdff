// Gathers rows of parents for their children, with the dot products of both.

#include "kernels/gather.hpp"

#include "graph/row_parallel.hpp"
#include "kernels/export.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/gather.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include "kernels/lanes-inl.h"
#include "kernels/memory-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hgnet::kernels::HWY_NAMESPACE {

template <class T>
void gather_range(const GatherRows<T>& args, std::int64_t begin, std::int64_t end) {
  const std::int64_t channels = args.channels;
  const bool stream = args.y != args.add && worth_streaming(args.y, end - begin, channels);
  with_vectors<T>(channels, [&](auto d) HWY_ATTR {
    for (std::int64_t v = begin; v < end; ++v) {
      const NodeId p = args.parent[v];
      const T* add = args.add == nullptr ? nullptr : args.add + v * channels;
      const T* row = p == kNoNode ? nullptr : args.x + p * channels;
      const auto factor = hn::Set(d, args.scale != nullptr && p != kNoNode ? args.scale[p] : T{1});
      if (args.y != nullptr) {
        for_vectors(d, channels, [&](std::int64_t column) HWY_ATTR {
          auto sum = add == nullptr ? hn::Zero(d) : hn::LoadU(d, add + column);
          if (row != nullptr) sum = hn::MulAdd(factor, hn::LoadU(d, row + column), sum);
          store(d, sum, args.y + v * channels + column, stream);
        });
      }
      if (args.dot != nullptr)
        args.dot[v] = row == nullptr ? T{0} : dot(d, args.own + v * channels, row, channels);
    }
  });
  if (stream) hwy::FlushStream();
}

}  // namespace hgnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hgnet::kernels {

template <class T>
void gather_rows(const GatherRows<T>& args, int threads) {
  for_row_ranges(args.num_rows, args.channels, threads, [&](std::int64_t begin, std::int64_t end) {
    HGNET_BEST(gather_range<T>)(args, begin, end);
  });
}
HGNET_EXPORT(gather_rows);

}  // namespace hgnet::kernels
#endif
