// Normalisation, activation, dropout and residual in one pass over the rows, and their gradients in
// another. Values of a column stay in registers while the pass moves down the rows.

#include "kernels/affine_act.hpp"

#include <algorithm>
#include <vector>

#include "kernels/chunks.hpp"
#include "kernels/export.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/affine_act.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include "kernels/dropout_mask-inl.h"
#include "kernels/exp-inl.h"
#include "kernels/lanes-inl.h"

#ifndef HGNET_AFFINE_ACT_ARGS
#define HGNET_AFFINE_ACT_ARGS
namespace hgnet::kernels {

template <class T>
struct Backward {
  const T* grad_y;
  const T* centre;
  InputGradient<T> gradient;
  T* sum;  // of the range's rows only; null: not needed
  T* product;
};

}  // namespace hgnet::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace hgnet::kernels::HWY_NAMESPACE {

// Activations and their derivatives. Written so that NaN stays NaN.

/// None, ReLU and leaky ReLU: a for a >= 0, `slope` a below.
template <class D>
class PiecewiseLinear {
 public:
  using T = hn::TFromD<D>;
  using V = hn::Vec<D>;

  explicit PiecewiseLinear(Activation activation)
      : slope_(hn::Set(D(), slope_of(activation))),
        // ReLU is 0 below 0 whatever 0 times a is: minus infinity would give NaN.
        below_(activation == Activation::kRelu ? hn::Zero(D()) : hn::Not(hn::Zero(D()))) {}

  HWY_INLINE V operator()(V a) const {
    return hn::IfThenElse(hn::Lt(a, hn::Zero(D())), hn::And(hn::Mul(slope_, a), below_), a);
  }

  HWY_INLINE V derivative(V a) const {
    return hn::IfThenElse(hn::Gt(a, hn::Zero(D())), hn::Set(D(), T{1}), slope_);
  }

 private:
  static T slope_of(Activation activation) {
    if (activation == Activation::kNone) return T{1};
    return activation == Activation::kRelu ? T{0} : static_cast<T>(kLeakyReluSlope);
  }

  V slope_;
  V below_;
};

/// a for a >= 0, exp(a) - 1 below.
template <class D>
class Elu {
 public:
  using V = hn::Vec<D>;

  explicit Elu(Activation) {}

  HWY_INLINE V operator()(V a) const {
    const V below = hn::Sub(hn::Exp(D(), a), one());
    return hn::IfThenElse(hn::Lt(a, hn::Zero(D())), below, a);
  }

  HWY_INLINE V derivative(V a) const {
    return hn::IfThenElse(hn::Gt(a, hn::Zero(D())), one(), exp_or_nan(D(), a));
  }

 private:
  static HWY_INLINE V one() { return hn::Set(D(), hn::TFromD<D>{1}); }
};

/// Calls body.operator()<Act>(group) for the columns of args.
template <class T, class Body>
HWY_INLINE void with_activation(const AffineAct<T>& args, const Body& body) {
  for_groups<T, 4>(args.channels, [&](auto group) HWY_ATTR {
    using D = typename decltype(group)::Tag;
    if (args.activation == Activation::kElu) {
      body.template operator()<Elu<D>>(group);
    } else {
      body.template operator()<PiecewiseLinear<D>>(group);
    }
  });
}

template <class Act, class Group, class T>
HWY_NOINLINE void forward_columns(Group group, AffineAct<T> args, T* y, std::int64_t begin,
                                  std::int64_t end) {
  const typename Group::Tag d;
  const Act act(args.activation);
  const auto scale = group.load_or(args.scale, T{1});
  const auto shift = group.load_or(args.shift, T{0});
  Mask<typename Group::Tag> dropout(args.dropout);
  for (std::int64_t r = begin; r < end; ++r) {
    dropout.start_row(r);
    for (int i = 0; i < Group::kCount; ++i) {
      const std::int64_t at = r * args.channels + group.column(i);
      const auto a = hn::MulAdd(hn::LoadU(d, args.z + at), scale.v[i], shift.v[i]);
      auto result = dropout(act(a), group.column(i));
      if (args.residual != nullptr) result = hn::Add(result, hn::LoadU(d, args.residual + at));
      hn::StoreU(result, d, y + at);
    }
  }
}

template <class Act, class Group, class T>
HWY_NOINLINE void backward_columns(Group group, AffineAct<T> args, Backward<T> back,
                                   std::int64_t begin, std::int64_t end) {
  const typename Group::Tag d;
  const Act act(args.activation);
  const auto scale = group.load_or(args.scale, T{1});
  const auto shift = group.load_or(args.shift, T{0});
  const auto centre = group.load_or(back.centre, T{0});
  const auto gain = group.load_or(back.gradient.gain, T{1});
  const auto factor = group.load_or(back.gradient.factor, T{0});
  const auto offset = group.load_or(back.gradient.offset, T{0});
  auto sum = group.all(T{0});
  auto product = group.all(T{0});
  Mask<typename Group::Tag> dropout(args.dropout);
  for (std::int64_t r = begin; r < end; ++r) {
    dropout.start_row(r);
    for (int i = 0; i < Group::kCount; ++i) {
      const std::int64_t at = r * args.channels + group.column(i);
      const auto z = hn::LoadU(d, args.z + at);
      const auto a = hn::MulAdd(z, scale.v[i], shift.v[i]);
      const auto grad_act = dropout(hn::LoadU(d, back.grad_y + at), group.column(i));
      const auto grad = hn::Mul(grad_act, act.derivative(a));
      if (back.sum != nullptr) {
        sum.v[i] = hn::Add(sum.v[i], grad);
        product.v[i] = hn::MulAdd(grad, hn::Sub(z, centre.v[i]), product.v[i]);
      }
      if (back.gradient.grad_z != nullptr) {
        const auto rest = hn::MulAdd(z, factor.v[i], offset.v[i]);
        hn::StoreU(hn::MulAdd(grad, gain.v[i], rest), d, back.gradient.grad_z + at);
      }
    }
  }
  if (back.sum == nullptr) return;
  group.store(sum, back.sum);
  group.store(product, back.product);
}

template <class T>
void forward_rows(const AffineAct<T>& args, T* y, std::int64_t begin, std::int64_t end) {
  with_activation(args, [&]<class Act>(auto group)
                            HWY_ATTR { forward_columns<Act>(group, args, y, begin, end); });
}

template <class T>
void backward_rows(const AffineAct<T>& args, const Backward<T>& back, std::int64_t begin,
                   std::int64_t end) {
  with_activation(args, [&]<class Act>(auto group)
                            HWY_ATTR { backward_columns<Act>(group, args, back, begin, end); });
}

}  // namespace hgnet::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hgnet::kernels {

template <class T>
void affine_act(const AffineAct<T>& args, T* y, int threads) {
  for_row_ranges(args.rows, args.channels * 4, threads, [&](std::int64_t begin, std::int64_t end) {
    HGNET_BEST(forward_rows<T>)(args, y, begin, end);
  });
}
HGNET_EXPORT(affine_act);

template <class T>
void affine_act_backward(const AffineAct<T>& args, const T* grad_y, const T* centre,
                         const InputGradient<T>& gradient, ColumnSums sums, int threads) {
  if (sums.sum == nullptr) {
    const Backward<T> back{grad_y, centre, gradient, nullptr, nullptr};
    for_row_ranges(args.rows, args.channels * 4, threads,
                   [&](std::int64_t begin, std::int64_t end) {
                     HGNET_BEST(backward_rows<T>)(args, back, begin, end);
                   });
    return;
  }
  std::vector<T> partial(num_chunks(args.rows) * args.channels);
  std::vector<T> products(partial.size());
  for_chunks(
      args.rows, args.channels, threads,
      [&](std::int64_t begin, std::int64_t end, std::int64_t chunk) {
        const std::int64_t at = chunk * args.channels;
        const Backward<T> back{grad_y, centre, gradient, partial.data() + at, products.data() + at};
        HGNET_BEST(backward_rows<T>)(args, back, begin, end);
      });
  add_up(partial, args.channels, sums.sum);
  add_up(products, args.channels, sums.product);
}
HGNET_EXPORT(affine_act_backward);

template <class T>
void dropout_factors(DropoutMask dropout, std::int64_t n, T* out) {
  // Applies dropout to ones, in rows of a width that keeps the row part of the hash cheap.
  constexpr std::int64_t kWidth = 256;
  const std::vector<T> ones(kWidth, T{1});
  for (std::int64_t from = 0; from < n; from += kWidth) {
    // One seed per row, since each is a matrix of one row here.
    const DropoutMask of_row{dropout.p, dropout.seed + static_cast<std::uint64_t>(from)};
    affine_act(
        {.rows = 1, .channels = std::min(kWidth, n - from), .z = ones.data(), .dropout = of_row},
        out + from, 1);
  }
}
HGNET_EXPORT(dropout_factors);

}  // namespace hgnet::kernels
#endif
