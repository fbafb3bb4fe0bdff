#include <algorithm>
#include <vector>

#include "graph/row_parallel.hpp"
#include "kernels/dispatch.hpp"
#include "kernels/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/norm_act.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "kernels/lanes-inl.h"
#include "kernels/softmax-inl.h"

#ifndef HGNET_NORM_ACT_ARGS
#define HGNET_NORM_ACT_ARGS
namespace hgnet::kernels {

template <class T>
struct Backward {
  const T* grad_y;
  const T* centre;
  InputGradient<T> gradient;
  T* sum;  // of the range's rows alone; null: not wanted
  T* product;
};

/// Of the rows of a chunk by column: a number close to their mean, and the sums of z - mean and (z - mean)^2.
template <class T>
struct ChunkMoments {
  T* mean;
  T* rest;
  T* square;
};

}  // namespace hgnet::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace hgnet::kernels::HWY_NAMESPACE {

/// A dropout mask for vectors of d. Hash: splitmix64 of seed and row, then Wellons' lowbias32 with the column.
template <class D>
class Mask {
 public:
  using T = hn::TFromD<D>;
  Mask(D d, DropoutMask dropout)
      : seed_(dropout.seed),
        threshold_(static_cast<std::int32_t>(std::min(dropout.p * 2147483648.0, 2147483647.0)) - 1),
        factor_(hn::Set(d, static_cast<T>(1.0 / (1.0 - dropout.p)))) {}

  void start_row(std::int64_t row) {
    std::uint64_t x = seed_ + 0x9e3779b97f4a7c15U * static_cast<std::uint64_t>(row + 1);
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    row_key_ = static_cast<std::uint32_t>((x ^ (x >> 31)) >> 32);
  }

  /// factor where kept, 0 elsewhere.
  HWY_INLINE hn::Vec<D> operator()(D d, std::int64_t column) const {
    const hn::Rebind<std::uint32_t, D> du;
    const hn::Rebind<std::int32_t, D> di;
    auto x = hn::Iota(du, static_cast<std::uint32_t>(column));
    x = hn::Add(hn::Mul(x, hn::Set(du, 0x9e3779b9U)), hn::Set(du, row_key_));
    x = hn::Mul(hn::Xor(x, hn::ShiftRight<16>(x)), hn::Set(du, 0x7feb352dU));
    x = hn::Mul(hn::Xor(x, hn::ShiftRight<15>(x)), hn::Set(du, 0x846ca68bU));
    x = hn::Xor(x, hn::ShiftRight<16>(x));
    const auto draw = hn::BitCast(di, hn::ShiftRight<1>(x));
    const hn::RebindToSigned<D> dt;
    if constexpr (sizeof(T) == 4) {
      const auto kept = hn::Gt(draw, hn::Set(di, threshold_));
      return hn::IfThenElseZero(hn::RebindMask(d, kept), factor_);
    } else {
      const auto kept = hn::Gt(hn::PromoteTo(dt, draw), hn::Set(dt, std::int64_t{threshold_}));
      return hn::IfThenElseZero(hn::RebindMask(d, kept), factor_);
    }
  }

 private:
  std::uint64_t seed_;
  std::int32_t threshold_;
  hn::Vec<D> factor_;
  std::uint32_t row_key_ = 0;
};

template <Activation kAct, class D, class V = hn::Vec<D>>
HWY_INLINE V activate(D d, V a) {
  using T = hn::TFromD<D>;
  if constexpr (kAct == Activation::kNone) return a;
  // Written so that what is not a number stays so.
  const auto negative = hn::Lt(a, hn::Zero(d));
  if constexpr (kAct == Activation::kRelu) {
    return hn::IfThenZeroElse(negative, a);
  } else if constexpr (kAct == Activation::kLeakyRelu) {
    return hn::IfThenElse(negative, hn::Mul(a, hn::Set(d, static_cast<T>(kLeakyReluSlope))), a);
  } else {
    return hn::IfThenElse(negative, hn::Sub(hn::Exp(d, a), hn::Set(d, T{1})), a);
  }
}

template <Activation kAct, class D, class V = hn::Vec<D>>
HWY_INLINE V derivative(D d, V a) {
  using T = hn::TFromD<D>;
  const V one = hn::Set(d, T{1});
  if constexpr (kAct == Activation::kRelu) {
    return hn::IfThenElseZero(hn::Gt(a, hn::Zero(d)), one);
  } else if constexpr (kAct == Activation::kLeakyRelu) {
    return hn::IfThenElse(hn::Gt(a, hn::Zero(d)), one, hn::Set(d, static_cast<T>(kLeakyReluSlope)));
  } else if constexpr (kAct == Activation::kElu) {
    return hn::IfThenElse(hn::Gt(a, hn::Zero(d)), one, exp_or_nan(d, a));
  } else {
    return one;
  }
}

/// One number per column in registers, `otherwise` where there is no array.
template <class D, int kVectors>
struct Columns {
  hn::Vec<D> value[kVectors];

  template <class T>
  HWY_INLINE Columns(D d, Block<D, kVectors> block, const T* by_column, T otherwise) {
    for (int i = 0; i < kVectors; ++i) {
      value[i] = by_column == nullptr ? hn::Set(d, otherwise)
                                      : hn::LoadU(d, by_column + block.place(d, i));
    }
  }
};

template <Activation kAct, bool kDrop, class D, int kVectors, class T>
HWY_NOINLINE void forward_rows(D d, Block<D, kVectors> block, AffineAct<T> args, T* y,
                               std::int64_t begin, std::int64_t end) {
  const Columns<D, kVectors> scale(d, block, args.scale, T{1});
  const Columns<D, kVectors> shift(d, block, args.shift, T{0});
  Mask<D> mask(d, args.dropout);
  for (std::int64_t r = begin; r < end; ++r) {
    if constexpr (kDrop) mask.start_row(r);
    for (int i = 0; i < kVectors; ++i) {
      const std::int64_t at = r * args.channels + block.place(d, i);
      const auto a = hn::MulAdd(hn::LoadU(d, args.z + at), scale.value[i], shift.value[i]);
      auto result = activate<kAct>(d, a);
      if constexpr (kDrop) result = hn::Mul(result, mask(d, block.place(d, i)));
      if (args.residual != nullptr) result = hn::Add(result, hn::LoadU(d, args.residual + at));
      hn::StoreU(result, d, y + at);
    }
  }
}

template <Activation kAct, bool kDrop, class D, int kVectors, class T>
HWY_NOINLINE void backward_rows(D d, Block<D, kVectors> block, AffineAct<T> args, Backward<T> back,
                                std::int64_t begin, std::int64_t end) {
  using V = hn::Vec<D>;
  using Numbers = Columns<D, kVectors>;
  const Numbers scale(d, block, args.scale, T{1});
  const Numbers shift(d, block, args.shift, T{0});
  const Numbers centre(d, block, back.centre, T{0});
  const Numbers gain(d, block, back.gradient.gain, T{1});
  const Numbers factor(d, block, back.gradient.factor, T{0});
  const Numbers offset(d, block, back.gradient.offset, T{0});
  Numbers sum(d, block, static_cast<const T*>(nullptr), T{0});
  Numbers product = sum;
  Mask<D> mask(d, args.dropout);
  for (std::int64_t r = begin; r < end; ++r) {
    if constexpr (kDrop) mask.start_row(r);
    for (int i = 0; i < kVectors; ++i) {
      const std::int64_t at = r * args.channels + block.place(d, i);
      const V z = hn::LoadU(d, args.z + at);
      V grad = hn::LoadU(d, back.grad_y + at);
      if constexpr (kDrop) grad = hn::Mul(grad, mask(d, block.place(d, i)));
      if constexpr (kAct != Activation::kNone) {
        grad = hn::Mul(grad, derivative<kAct>(d, hn::MulAdd(z, scale.value[i], shift.value[i])));
      }
      if (back.sum != nullptr) {
        sum.value[i] = hn::Add(sum.value[i], grad);
        product.value[i] = hn::MulAdd(grad, hn::Sub(z, centre.value[i]), product.value[i]);
      }
      if (back.gradient.grad_z != nullptr) {
        const V rest = hn::MulAdd(z, factor.value[i], offset.value[i]);
        hn::StoreU(hn::MulAdd(grad, gain.value[i], rest), d, back.gradient.grad_z + at);
      }
    }
  }
  if (back.sum == nullptr) return;
  for (int i = 0; i < kVectors; ++i) {
    hn::StoreU(sum.value[i], d, back.sum + block.place(d, i));
    hn::StoreU(product.value[i], d, back.product + block.place(d, i));
  }
}

template <Activation kAct, class T, class Body>
HWY_INLINE void with_dropout(const AffineAct<T>& args, const Body& body) {
  for_blocks<T, 4>(args.channels, [&](auto d, auto block) HWY_ATTR {
    if (args.dropout.p > 0) {
      body.template operator()<kAct, true>(d, block);
    } else {
      body.template operator()<kAct, false>(d, block);
    }
  });
}

template <class T, class Body>
HWY_INLINE void specialised(const AffineAct<T>& args, const Body& body) {
  switch (args.activation) {
    case Activation::kNone: with_dropout<Activation::kNone>(args, body); break;
    case Activation::kRelu: with_dropout<Activation::kRelu>(args, body); break;
    case Activation::kLeakyRelu: with_dropout<Activation::kLeakyRelu>(args, body); break;
    case Activation::kElu: with_dropout<Activation::kElu>(args, body); break;
  }
}

template <class T>
void forward_range(const AffineAct<T>& args, T* y, std::int64_t begin, std::int64_t end) {
  specialised(args, [&]<Activation kAct, bool kDrop>(auto d, auto block)
                        HWY_ATTR { forward_rows<kAct, kDrop>(d, block, args, y, begin, end); });
}

template <class T>
void backward_range(const AffineAct<T>& args, const Backward<T>& back, std::int64_t begin,
                    std::int64_t end) {
  specialised(args, [&]<Activation kAct, bool kDrop>(auto d, auto block)
                        HWY_ATTR { backward_rows<kAct, kDrop>(d, block, args, back, begin, end); });
}

/// Two times over rows that stay in the first-level cache: for their mean, and for what is left around it.
template <class D, int kVectors, class T>
HWY_NOINLINE void moments_rows(D d, Block<D, kVectors> block, const T* z, std::int64_t channels,
                               const ChunkMoments<T>& out, std::int64_t begin, std::int64_t end) {
  using V = hn::Vec<D>;
  const V share = hn::Set(d, T{1} / static_cast<T>(end - begin));
  V mean[kVectors];
  V rest[kVectors];
  V square[kVectors];
  for (int i = 0; i < kVectors; ++i) mean[i] = rest[i] = square[i] = hn::Zero(d);
  for (std::int64_t r = begin; r < end; ++r) {
    for (int i = 0; i < kVectors; ++i)
      mean[i] = hn::Add(mean[i], hn::LoadU(d, z + r * channels + block.place(d, i)));
  }
  for (int i = 0; i < kVectors; ++i) mean[i] = hn::Mul(mean[i], share);
  for (std::int64_t r = begin; r < end; ++r) {
    for (int i = 0; i < kVectors; ++i) {
      const V from = hn::Sub(hn::LoadU(d, z + r * channels + block.place(d, i)), mean[i]);
      rest[i] = hn::Add(rest[i], from);
      square[i] = hn::MulAdd(from, from, square[i]);
    }
  }
  for (int i = 0; i < kVectors; ++i) {
    hn::StoreU(mean[i], d, out.mean + block.place(d, i));
    hn::StoreU(rest[i], d, out.rest + block.place(d, i));
    hn::StoreU(square[i], d, out.square + block.place(d, i));
  }
}

template <class T>
void moments_range(const T* z, std::int64_t channels, const ChunkMoments<T>& out,
                   std::int64_t begin, std::int64_t end) {
  for_blocks<T, 4>(channels, [&](auto d, auto block) HWY_ATTR {
    moments_rows(d, block, z, channels, out, begin, end);
  });
}

#define HGNET_FOR_TYPE(T, name)                                                               \
  void forward_##name(const AffineAct<T>& args, T* y, std::int64_t begin, std::int64_t end) { \
    forward_range(args, y, begin, end);                                                       \
  }                                                                                           \
  void backward_##name(const AffineAct<T>& args, const Backward<T>& back, std::int64_t begin, \
                       std::int64_t end) {                                                    \
    backward_range(args, back, begin, end);                                                   \
  }                                                                                           \
  void moments_##name(const T* z, std::int64_t channels, const ChunkMoments<T>& out,          \
                      std::int64_t begin, std::int64_t end) {                                 \
    moments_range(z, channels, out, begin, end);                                              \
  }
HGNET_FOR_TYPE(float, f32)
HGNET_FOR_TYPE(double, f64)
#undef HGNET_FOR_TYPE

}  // namespace hgnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hgnet::kernels {
namespace {

/// Column sums are taken over this many rows at a time, whatever the threads, and then added up in
/// order and in double precision: the same bits for every number of threads.
constexpr std::int64_t kRowsPerSum = 256;

/// Calls range(begin, end, chunk) for stretches of kRowsPerSum rows. From the last to the first: what made the rows has just
/// written the last ones, and whoever goes over them next, from the first on, finds those in the cache.
template <class Range>
void for_chunks(std::int64_t rows, std::int64_t channels, int threads, const Range& range) {
  const std::int64_t chunks = (rows + kRowsPerSum - 1) / kRowsPerSum;
  for_row_ranges(chunks, kRowsPerSum * channels * 4, threads,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (std::int64_t c = end; c-- > begin;)
                     range(c * kRowsPerSum, std::min(rows, (c + 1) * kRowsPerSum), c);
                 });
}

template <class T>
void add_up(const std::vector<T>& partial, std::int64_t channels, double* sum) {
  std::fill(sum, sum + channels, 0.0);
  for (std::size_t i = 0; i < partial.size(); i += static_cast<std::size_t>(channels)) {
    for (std::int64_t c = 0; c < channels; ++c) sum[c] += partial[i + c];
  }
}

}  // namespace

HWY_EXPORT(forward_f32);
HWY_EXPORT(forward_f64);
HWY_EXPORT(backward_f32);
HWY_EXPORT(backward_f64);
HWY_EXPORT(moments_f32);
HWY_EXPORT(moments_f64);

template <class T>
void affine_act(const AffineAct<T>& args, T* y, int threads) {
  for_row_ranges(args.rows, args.channels * 4, threads, [&](std::int64_t begin, std::int64_t end) {
    HGNET_DISPATCH(T, forward, args, y, begin, end);
  });
}

template <class T>
void affine_act_backward(const AffineAct<T>& args, const T* grad_y, const T* centre,
                         const InputGradient<T>& gradient, ColumnSums sums, int threads) {
  if (sums.sum == nullptr) {
    const Backward<T> back{grad_y, centre, gradient, nullptr, nullptr};
    for_row_ranges(args.rows, args.channels * 4, threads,
                   [&](std::int64_t begin, std::int64_t end) {
                     HGNET_DISPATCH(T, backward, args, back, begin, end);
                   });
    return;
  }
  const std::int64_t chunks = (args.rows + kRowsPerSum - 1) / kRowsPerSum;
  std::vector<T> partial(chunks * args.channels);
  std::vector<T> products(partial.size());
  for_chunks(
      args.rows, args.channels, threads,
      [&](std::int64_t begin, std::int64_t end, std::int64_t chunk) {
        const std::int64_t at = chunk * args.channels;
        const Backward<T> back{grad_y, centre, gradient, partial.data() + at, products.data() + at};
        HGNET_DISPATCH(T, backward, args, back, begin, end);
      });
  add_up(partial, args.channels, sums.sum);
  add_up(products, args.channels, sums.product);
}

template <class T>
void column_moments(std::int64_t rows, std::int64_t channels, const T* z, double* mean,
                    double* square, int threads) {
  const std::int64_t chunks = (rows + kRowsPerSum - 1) / kRowsPerSum;
  std::vector<T> parts(3 * chunks * channels);
  const auto of_chunk = [&](std::int64_t chunk) {
    T* at = parts.data() + 3 * chunk * channels;
    return ChunkMoments<T>{at, at + channels, at + 2 * channels};
  };
  for_chunks(rows, channels, threads,
             [&](std::int64_t begin, std::int64_t end, std::int64_t chunk) {
               const ChunkMoments<T> out = of_chunk(chunk);
               HGNET_DISPATCH(T, moments, z, channels, out, begin, end);
             });
  const auto size = [&](std::int64_t chunk) {
    return static_cast<double>(std::min(kRowsPerSum, rows - chunk * kRowsPerSum));
  };
  std::fill(mean, mean + channels, 0.0);
  std::fill(square, square + channels, 0.0);
  for (std::int64_t i = 0; i < chunks; ++i) {
    const ChunkMoments<T> chunk = of_chunk(i);
    for (std::int64_t c = 0; c < channels; ++c)
      mean[c] += (size(i) * chunk.mean[c] + chunk.rest[c]) / static_cast<double>(rows);
  }
  // Moved from the chunk's centre to the mean of all.
  for (std::int64_t i = 0; i < chunks; ++i) {
    const ChunkMoments<T> chunk = of_chunk(i);
    for (std::int64_t c = 0; c < channels; ++c) {
      const double off = chunk.mean[c] - mean[c];
      square[c] += chunk.square[c] + 2 * off * chunk.rest[c] + size(i) * off * off;
    }
  }
}

template <class T>
void dropout_factors(DropoutMask dropout, std::int64_t n, T* out) {
  // Ones, dropped in rows of a width that keeps the hash's row part cheap.
  constexpr std::int64_t kWidth = 256;
  const std::vector<T> ones(kWidth, T{1});
  for (std::int64_t from = 0; from < n; from += kWidth) {
    // A seed per row, since each is a matrix of one row here.
    const DropoutMask of_row{dropout.p, dropout.seed + static_cast<std::uint64_t>(from)};
    affine_act(
        {.rows = 1, .channels = std::min(kWidth, n - from), .z = ones.data(), .dropout = of_row},
        out + from, 1);
  }
}

#define HGNET_INSTANTIATE(T)                                                                 \
  template void affine_act(const AffineAct<T>&, T*, int);                                    \
  template void affine_act_backward(const AffineAct<T>&, const T*, const T*,                 \
                                    const InputGradient<T>&, ColumnSums, int);               \
  template void column_moments(std::int64_t, std::int64_t, const T*, double*, double*, int); \
  template void dropout_factors(DropoutMask, std::int64_t, T*);
HGNET_INSTANTIATE(float)
HGNET_INSTANTIATE(double)
#undef HGNET_INSTANTIATE

}  // namespace hgnet::kernels
#endif
