#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "graph/row_parallel.hpp"
#include "kernels/dispatch.hpp"
#include "kernels/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/linear.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "kernels/spmm-inl.h"

#ifndef HGNET_LINEAR_ARGS
#define HGNET_LINEAR_ARGS
namespace hgnet::kernels {

/// A sum of outer products on its way. Vectors of columns may overlap, so it cannot be added to in place: each sum is
/// written beside the one before.
template <class T>
struct OuterSum {
  T* now = nullptr;  // null: not wanted
  T* next = nullptr;
};

/// What one thread works with.
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

/// Rows of the result that are worked on together, so that each vector of B is loaded once for all of them: as many as leave
/// registers for the vectors of B.
template <int kVectors>
constexpr int rows_together() {
  return kVectors <= 2 ? 8 : kVectors == 3 ? 6 : 4;
}

/// sum_r += x_r B for kRows rows, the columns of `block`.
template <int kRows, class D, int kVectors, class T, class V = hn::Vec<D>>
HWY_INLINE void add_products(D d, Block<D, kVectors> block, const T* HWY_RESTRICT x,
                             std::int64_t inner, const T* HWY_RESTRICT b, std::int64_t width,
                             V (&sum)[kRows][kVectors]) {
  for (std::int64_t k = 0; k < inner; ++k) {
    V row[kVectors];
    for (int i = 0; i < kVectors; ++i) row[i] = hn::LoadU(d, b + k * width + block.place(d, i));
    for (int r = 0; r < kRows; ++r) {
      const V factor = hn::Set(d, x[r * inner + k]);
      for (int i = 0; i < kVectors; ++i) sum[r][i] = hn::MulAdd(factor, row[i], sum[r][i]);
    }
  }
}

/// kRows rows of the result from r on, the columns of `block`; `gathered` are those rows of M x.
template <int kRows, class D, int kVectors, class T>
HWY_INLINE void result_rows(D d, Block<D, kVectors> block, const LinearRows<T>& args,
                            const T* gathered, std::int64_t r) {
  using V = hn::Vec<D>;
  const std::int64_t out = args.out;  // stores are not known to leave args alone
  V sum[kRows][kVectors];
  if (args.add == nullptr) {
    for (int o = 0; o < kRows; ++o)
      for (int i = 0; i < kVectors; ++i) sum[o][i] = hn::Zero(d);
  } else {
    const T* HWY_RESTRICT add = args.add + r * out;
    for (int o = 0; o < kRows; ++o)
      for (int i = 0; i < kVectors; ++i)
        sum[o][i] = hn::LoadU(d, add + o * out + block.place(d, i));
  }
  if (args.parent != nullptr) {
    for (int o = 0; o < kRows; ++o) {
      if (args.parent[r + o] == kNoNode) continue;
      const T* row = args.parent_rows + args.parent[r + o] * out;
      for (int i = 0; i < kVectors; ++i)
        sum[o][i] = hn::Add(sum[o][i], hn::LoadU(d, row + block.place(d, i)));
    }
  }
  if (args.root != nullptr)
    add_products(d, block, args.x + r * args.in, args.in, args.root, out, sum);
  if (args.weight != nullptr) add_products(d, block, gathered, args.in, args.weight, out, sum);
  T* HWY_RESTRICT y = args.y + r * out;
  for (int o = 0; o < kRows; ++o)
    for (int i = 0; i < kVectors; ++i) hn::StoreU(sum[o][i], d, y + o * out + block.place(d, i));
}

template <class D, int kVectors, class T>
HWY_NOINLINE void result_tile(D d, Block<D, kVectors> block, const LinearRows<T>& args,
                              const T* gathered, std::int64_t begin, std::int64_t end) {
  constexpr int kRows = rows_together<kVectors>();
  std::int64_t r = begin;
  for (; r + kRows <= end; r += kRows)
    result_rows<kRows>(d, block, args, gathered + (r - begin) * args.in, r);
  for (; r < end; ++r) result_rows<1>(d, block, args, gathered + (r - begin) * args.in, r);
}

/// next = now + sum over the rows r of a_r^T b_r: kRows of its rows from `row` on, the columns of `block`.
template <int kRows, class D, int kVectors, class T>
HWY_INLINE void outer_rows(D d, Block<D, kVectors> block, const T* HWY_RESTRICT a,
                           std::int64_t a_width, std::int64_t row, const T* HWY_RESTRICT b,
                           std::int64_t b_width, OuterSum<T> out, std::int64_t rows) {
  using V = hn::Vec<D>;
  V sum[kRows][kVectors];
  for (int o = 0; o < kRows; ++o)
    for (int i = 0; i < kVectors; ++i)
      sum[o][i] = hn::LoadU(d, out.now + (row + o) * b_width + block.place(d, i));
  for (std::int64_t r = 0; r < rows; ++r) {
    V values[kVectors];
    for (int i = 0; i < kVectors; ++i)
      values[i] = hn::LoadU(d, b + r * b_width + block.place(d, i));
    for (int o = 0; o < kRows; ++o) {
      const V factor = hn::Set(d, a[r * a_width + row + o]);
      for (int i = 0; i < kVectors; ++i) sum[o][i] = hn::MulAdd(factor, values[i], sum[o][i]);
    }
  }
  for (int o = 0; o < kRows; ++o)
    for (int i = 0; i < kVectors; ++i)
      hn::StoreU(sum[o][i], d, out.next + (row + o) * b_width + block.place(d, i));
}

template <class D, int kVectors, class T>
HWY_NOINLINE void outer_tile(D d, Block<D, kVectors> block, const T* a, std::int64_t a_width,
                             const T* b, std::int64_t b_width, OuterSum<T> out, std::int64_t rows) {
  constexpr int kRows = rows_together<kVectors>();
  std::int64_t row = 0;
  for (; row + kRows <= a_width; row += kRows)
    outer_rows<kRows>(d, block, a, a_width, row, b, b_width, out, rows);
  for (; row < a_width; ++row) outer_rows<1>(d, block, a, a_width, row, b, b_width, out, rows);
}

/// Adds a_i^T other_{r + i} for all i < rows.
template <class T>
void add_outer(const LinearRows<T>& args, const T* a, std::int64_t r, std::int64_t rows,
               OuterSum<T>& sum) {
  const std::int64_t width = args.other_width;
  for_blocks<T, 4>(width, [&](auto d, auto block) HWY_ATTR {
    outer_tile(d, block, a, args.in, args.other + r * width, width, sum, rows);
  });
  std::swap(sum.now, sum.next);
}

/// What the rows from r on will be read from, or written to.
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
void linear_range(const LinearRows<T>& args, LinearScratch<T>& scratch, std::int64_t begin,
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
    if (args.gathers()) spmm_range(gather, /*first=*/r, /*stream=*/false, r, r + rows);
    if (args.y != nullptr) {
      for_blocks<T, 4>(args.out, [&](auto d, auto block) HWY_ATTR {
        result_tile(d, block, args, scratch.tile, r, r + rows);
      });
    }
    if (scratch.own.now != nullptr) add_outer(args, args.x + r * args.in, r, rows, scratch.own);
    if (scratch.gathered.now != nullptr) add_outer(args, scratch.tile, r, rows, scratch.gathered);
  }
}

void linear_f32(const LinearRows<float>& args, LinearScratch<float>& scratch, std::int64_t begin,
                std::int64_t end) {
  linear_range(args, scratch, begin, end);
}
void linear_f64(const LinearRows<double>& args, LinearScratch<double>& scratch, std::int64_t begin,
                std::int64_t end) {
  linear_range(args, scratch, begin, end);
}

}  // namespace hgnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hgnet::kernels {
namespace {

/// Sums over rows are taken over this many at a time, whatever the threads, and added up in order.
constexpr std::int64_t kRowsPerSum = 1024;

/// So many that the tile takes a third of the first-level cache.
std::int64_t tile_rows(std::int64_t width) {
  return std::clamp<std::int64_t>(4096 / std::max<std::int64_t>(width, 1) / 8 * 8, 8, 64);
}

/// Memory of one thread.
template <class T>
class LinearBuffers {
 public:
  explicit LinearBuffers(const LinearRows<T>& args)
      : size_(args.in * args.other_width), tile_rows_(tile_rows(args.in)) {
    if (args.gathers()) tile_.resize(tile_rows_ * args.in);
    if (args.own_outer != nullptr) own_.resize(2 * size_);
    if (args.gathered_outer != nullptr) gathered_.resize(2 * size_);
  }

  /// With sums that start at zero.
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

/// partial[0] + partial[1] + ..., each of `size` numbers.
template <class T>
void add_up(const std::vector<T>& partial, std::int64_t size, T* out) {
  if (out == nullptr) return;
  std::fill(out, out + size, T{0});
  for (auto from = partial.begin(); from != partial.end(); from += size)
    std::transform(out, out + size, from, out, std::plus<>());
}

}  // namespace

HWY_EXPORT(linear_f32);
HWY_EXPORT(linear_f64);

template <class T>
void linear_rows(const LinearRows<T>& args, int threads) {
  const std::int64_t size = args.in * args.other_width;
  const std::int64_t chunks = (args.rows + kRowsPerSum - 1) / kRowsPerSum;
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
      HGNET_DISPATCH(T, linear, args, scratch, begin, end);
      if (!own.empty()) std::copy_n(scratch.own.now, size, own.data() + c * size);
      if (!gathered.empty()) std::copy_n(scratch.gathered.now, size, gathered.data() + c * size);
    }
  });
  add_up(own, size, args.own_outer);
  add_up(gathered, size, args.gathered_outer);
}

template void linear_rows(const LinearRows<float>&, int);
template void linear_rows(const LinearRows<double>&, int);

}  // namespace hgnet::kernels
#endif
