// Dense products of many rows with small matrices, for rows that are read or gathered. The rows are
// processed in tiles that stay in the nearest cache: gather, multiply, add the outer products, move
// on to the next tile. A product works on several rows of the tile at once, so that each vector of
// the small matrix is loaded once for all of them.

#include "kernels/linear.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "kernels/chunks.hpp"
#include "kernels/export.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/linear.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include "kernels/lanes-inl.h"
#include "kernels/memory-inl.h"
#include "kernels/spmm-inl.h"

#ifndef HGNET_LINEAR_ARGS
#define HGNET_LINEAR_ARGS
namespace hgnet::kernels {

/// A running sum of outer products. Vectors of columns may overlap, so it cannot be updated in
/// place: each new sum is written next to the previous one.
template <class T>
struct OuterSum {
  T* now = nullptr;  // null: not needed
  T* next = nullptr;
};

/// The working memory of one thread.
template <class T>
struct LinearScratch {
  std::int64_t tile_rows = 0;
  T* tile = nullptr;  // [tile_rows, in], for rows of M x
  OuterSum<T> own;    // of x with `other`
  OuterSum<T> gathered;
};

}  // namespace hgnet::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace hgnet::kernels::HWY_NAMESPACE {

/// Rows that are processed together: as many as leave registers for the vectors of the small
/// matrix.
template <class Group>
constexpr int rows_together() {
  return Group::kCount <= 2 ? 8 : Group::kCount == 3 ? 6 : 4;
}

/// sum_r += x_r B for kRows rows, the columns of `group`.
template <int kRows, class Group, class T>
HWY_INLINE void add_products(Group group, const T* HWY_RESTRICT x, std::int64_t inner,
                             const T* HWY_RESTRICT b, std::int64_t width,
                             typename Group::Row (&sum)[kRows]) {
  for (std::int64_t k = 0; k < inner; ++k) {
    const auto row = group.load(b + k * width);
    for (int r = 0; r < kRows; ++r) group.add(x[r * inner + k], row, sum[r]);
  }
}

/// kRows rows of the result from r on, the columns of `group`; `gathered` are those rows of M x.
template <int kRows, class Group, class T>
HWY_INLINE void result_rows(Group group, const LinearRows<T>& args, const T* gathered,
                            std::int64_t r) {
  const std::int64_t out = args.out;  // a copy: to the compiler, stores may change args
  typename Group::Row sum[kRows];
  // One loop for each case: the sums stay in registers only if there is no branch between them.
  if (args.add == nullptr) {
    for (int o = 0; o < kRows; ++o) sum[o] = group.all(T{0});
  } else {
    for (int o = 0; o < kRows; ++o) sum[o] = group.load(args.add + (r + o) * out);
  }
  if (args.parent != nullptr) {
    for (int o = 0; o < kRows; ++o) {
      if (args.parent[r + o] == kNoNode) continue;
      group.add(args.parent_rows + args.parent[r + o] * out, sum[o]);
    }
  }
  if (args.root != nullptr) add_products(group, args.x + r * args.in, args.in, args.root, out, sum);
  if (args.weight != nullptr) add_products(group, gathered, args.in, args.weight, out, sum);
  T* y = args.y + r * out;  // may be args.add
  for (int o = 0; o < kRows; ++o) group.store(sum[o], y + o * out);
}

template <class Group, class T>
HWY_NOINLINE void result_tile(Group group, const LinearRows<T>& args, const T* gathered,
                              std::int64_t first, std::int64_t rows) {
  constexpr int kRows = rows_together<Group>();
  std::int64_t r = 0;
  for (; r + kRows <= rows; r += kRows)
    result_rows<kRows>(group, args, gathered + r * args.in, first + r);
  for (; r < rows; ++r) result_rows<1>(group, args, gathered + r * args.in, first + r);
}

/// next = now + sum over the rows r of a_r^T b_r: kRows of its rows from `row` on, the columns of
/// `group`.
template <int kRows, class Group, class T>
HWY_INLINE void outer_rows(Group group, const T* HWY_RESTRICT a, std::int64_t a_width,
                           std::int64_t row, const T* HWY_RESTRICT b, std::int64_t b_width,
                           OuterSum<T> out, std::int64_t rows) {
  typename Group::Row sum[kRows];
  for (int o = 0; o < kRows; ++o) sum[o] = group.load(out.now + (row + o) * b_width);
  for (std::int64_t r = 0; r < rows; ++r) {
    const auto values = group.load(b + r * b_width);
    for (int o = 0; o < kRows; ++o) group.add(a[r * a_width + row + o], values, sum[o]);
  }
  for (int o = 0; o < kRows; ++o) group.store(sum[o], out.next + (row + o) * b_width);
}

template <class Group, class T>
HWY_NOINLINE void outer_tile(Group group, const T* a, std::int64_t a_width, const T* b,
                             std::int64_t b_width, OuterSum<T> out, std::int64_t rows) {
  constexpr int kRows = rows_together<Group>();
  std::int64_t row = 0;
  for (; row + kRows <= a_width; row += kRows)
    outer_rows<kRows>(group, a, a_width, row, b, b_width, out, rows);
  for (; row < a_width; ++row) outer_rows<1>(group, a, a_width, row, b, b_width, out, rows);
}

/// Adds a_i^T other_{r + i} for all i < rows.
template <class T>
void add_outer(const LinearRows<T>& args, const T* a, std::int64_t r, std::int64_t rows,
               OuterSum<T>& sum) {
  const std::int64_t width = args.other_width;
  for_groups<T, 4>(width, [&](auto group) HWY_ATTR {
    outer_tile(group, a, args.in, args.other + r * width, width, sum, rows);
  });
  std::swap(sum.now, sum.next);
}

/// Memory that the rows from r on will read from or write to.
template <class T>
void fetch_tile(const LinearRows<T>& args, std::int64_t r, std::int64_t rows) {
  if (rows <= 0) return;
  if (!args.gathers()) fetch_ahead(args.x + r * args.in, rows * args.in);
  if (args.y != nullptr) fetch_ahead(args.y + r * args.out, rows * args.out);
  if (args.add != nullptr) fetch_ahead(args.add + r * args.out, rows * args.out);
  if (args.other != nullptr)
    fetch_ahead(args.other + r * args.other_width, rows * args.other_width);
}

template <class T>
void linear_tiles(const LinearRows<T>& args, LinearScratch<T>& scratch, std::int64_t begin,
                  std::int64_t end) {
  const Spmm<T> gather{.a = args.a,
                       .values = args.values,
                       .diagonal = args.diagonal,
                       .x = {args.x, args.in},
                       .y = {scratch.tile, args.in},
                       .channels = args.in};
  for (std::int64_t r = begin; r < end; r += scratch.tile_rows) {
    const std::int64_t rows = std::min(scratch.tile_rows, end - r);
    fetch_tile(args, r + rows, std::min(scratch.tile_rows, end - r - rows));
    if (args.gathers()) spmm_rows(gather, /*first=*/r, /*stream=*/false, r, r + rows);
    if (args.y != nullptr) {
      for_groups<T, 4>(
          args.out, [&](auto group) HWY_ATTR { result_tile(group, args, scratch.tile, r, rows); });
    }
    if (scratch.own.now != nullptr) add_outer(args, args.x + r * args.in, r, rows, scratch.own);
    if (scratch.gathered.now != nullptr) add_outer(args, scratch.tile, r, rows, scratch.gathered);
  }
}

}  // namespace hgnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hgnet::kernels {
namespace {

/// Rows per chunk: enough to outweigh the cost of adding its matrices.
constexpr std::int64_t kRowsPerSum = 1024;

/// As many rows as make the tile a third of the first-level cache.
std::int64_t tile_rows(std::int64_t width) {
  return std::clamp<std::int64_t>(4096 / std::max<std::int64_t>(width, 1) / 8 * 8, 8, 64);
}

/// Owns the memory of one thread.
template <class T>
class LinearBuffers {
 public:
  explicit LinearBuffers(const LinearRows<T>& args)
      : size_(args.in * args.other_width), tile_rows_(tile_rows(args.in)) {
    if (args.gathers()) tile_.resize(tile_rows_ * args.in);
    if (args.own_outer != nullptr) own_.resize(2 * size_);
    if (args.gathered_outer != nullptr) gathered_.resize(2 * size_);
  }

  /// With sums initialised to zero.
  LinearScratch<T> scratch() {
    return {tile_rows_, tile_.data(), from_zero(own_), from_zero(gathered_)};
  }

 private:
  OuterSum<T> from_zero(std::vector<T>& sums) const {
    if (sums.empty()) return {};
    std::fill(sums.begin(), sums.begin() + size_, T{0});
    return {sums.data(), sums.data() + size_};
  }

  std::int64_t size_;
  std::int64_t tile_rows_;
  std::vector<T> tile_;
  std::vector<T> own_;
  std::vector<T> gathered_;
};

}  // namespace

template <class T>
void linear_rows(const LinearRows<T>& args, int threads) {
  const std::int64_t size = args.in * args.other_width;
  const std::int64_t chunks = num_chunks(args.rows, kRowsPerSum);
  std::vector<T> own(args.own_outer != nullptr ? chunks * size : 0);
  std::vector<T> gathered(args.gathered_outer != nullptr ? chunks * size : 0);
  const std::int64_t work = args.rows * args.in * (args.out + args.other_width) / 4 +
                            (args.gathers() ? args.a.num_slots() * args.in : 0);
  const int parts = useful_threads(work, threads);
  // Whole chunks, with about the same work for each thread.
  const auto first_chunk = [&](int part) {
    if (part == parts) return chunks;
    return (args.gathers() ? first_row(args.a, part, parts) : args.rows * part / parts) /
           kRowsPerSum;
  };
  run_parts(parts, [&](int part) {
    LinearBuffers<T> buffers(args);
    for (std::int64_t c = first_chunk(part); c < first_chunk(part + 1); ++c) {
      LinearScratch<T> scratch = buffers.scratch();
      const std::int64_t begin = c * kRowsPerSum;
      const std::int64_t end = std::min(args.rows, begin + kRowsPerSum);
      HGNET_BEST(linear_tiles<T>)(args, scratch, begin, end);
      if (!own.empty()) std::copy_n(scratch.own.now, size, own.data() + c * size);
      if (!gathered.empty()) std::copy_n(scratch.gathered.now, size, gathered.data() + c * size);
    }
  });
  if (args.own_outer != nullptr) add_up(own, size, args.own_outer);
  if (args.gathered_outer != nullptr) add_up(gathered, size, args.gathered_outer);
}
HGNET_EXPORT(linear_rows);

}  // namespace hgnet::kernels
#endif
