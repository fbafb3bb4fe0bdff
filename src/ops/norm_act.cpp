#include "hgnet/ops/norm_act.hpp"

#include <cmath>
#include <vector>

#include "kernels/affine_act.hpp"
#include "kernels/column_moments.hpp"
#include "ops/common.hpp"

namespace hgnet {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

/// How the columns are normalised in one call. norm(z + b) = scale z + shift.
struct Normalisation {
  bool batch = false;           // by the statistics of the batch's rows
  std::vector<double> mean;     // subtracted from z: the rows' mean, or running mean - b
  std::vector<double> inverse;  // 1 / sqrt(var + eps)
  double rows = 0;              // of the batch
  const SumOverRanks* over_ranks = nullptr;
  bool counts = true;  // whether the given rows are of the batch
};

struct Call {
  Normalisation norm;  // empty vectors: none
  bool has_bias = false;
  bool has_residual = false;
  Activation activation = Activation::kNone;
  kernels::DropoutMask dropout;
};

void check_dropout(const char* op, Dropout dropout) {
  TORCH_CHECK(dropout.p >= 0 && dropout.p < 1, op, ": dropout must be in [0, 1) (got ", dropout.p,
              ")");
}

std::vector<double> doubles(const Tensor& tensor) {
  std::vector<double> values(tensor.numel());
  AT_DISPATCH_FLOATING_TYPES(tensor.scalar_type(), "norm_act", [&] {
    const auto from = tensor.accessor<scalar_t, 1>();
    for (std::size_t c = 0; c < values.size(); ++c) values[c] = from[static_cast<std::int64_t>(c)];
  });
  return values;
}

Tensor from_doubles(const std::vector<double>& values, torch::ScalarType type) {
  Tensor out = torch::empty({static_cast<std::int64_t>(values.size())}, type);
  AT_DISPATCH_FLOATING_TYPES(type, "norm_act", [&] {
    auto* to = out.data_ptr<scalar_t>();
    for (std::size_t c = 0; c < values.size(); ++c) to[c] = static_cast<scalar_t>(values[c]);
  });
  return out;
}

void move_running(const Tensor& running, const std::vector<double>& now, double momentum) {
  AT_DISPATCH_FLOATING_TYPES(running.scalar_type(), "norm_act", [&] {
    auto value = running.accessor<scalar_t, 1>();  // the module's own buffer
    for (std::size_t i = 0; i < now.size(); ++i) {
      const auto c = static_cast<std::int64_t>(i);
      value[c] = static_cast<scalar_t>((1 - momentum) * value[c] + momentum * now[i]);
    }
  });
}

/// Mean and sum of squared differences from it, by column, of so many rows.
struct Moments {
  double rows = 0;
  std::vector<double> mean;
  std::vector<double> squares;
};

Moments moments_of(const Tensor& z) {
  Moments result{static_cast<double>(z.size(0)), std::vector<double>(z.size(1)),
                 std::vector<double>(z.size(1))};
  AT_DISPATCH_FLOATING_TYPES(z.scalar_type(), "norm_act", [&] {
    kernels::column_moments<scalar_t>(z.size(0), z.size(1), z.data_ptr<scalar_t>(),
                                      result.mean.data(), result.squares.data(),
                                      at::get_num_threads());
  });
  return result;
}

/// Of the rows of all ranks: exchanges sums of rows, of values and of their squares.
void merge_over_ranks(Moments& moments, const BatchNormTensors& norm) {
  const std::size_t columns = moments.mean.size();
  std::vector<double> sums(1 + 2 * columns);
  if (norm.counts) {
    sums[0] = moments.rows;
    for (std::size_t c = 0; c < columns; ++c) {
      sums[1 + c] = moments.rows * moments.mean[c];
      sums[1 + columns + c] = moments.squares[c] + sums[1 + c] * moments.mean[c];
    }
  }
  (*norm.over_ranks)(sums);
  moments.rows = sums[0];
  for (std::size_t c = 0; c < columns; ++c) {
    moments.mean[c] = sums[1 + c] / std::max(sums[0], 1.0);
    moments.squares[c] = std::max(0.0, sums[1 + columns + c] - sums[1 + c] * moments.mean[c]);
  }
}

Normalisation by_rows_at_hand(const Tensor& z, const Tensor& bias, const BatchNormTensors& norm) {
  Moments moments = moments_of(z);
  if (norm.over_ranks != nullptr) merge_over_ranks(moments, norm);
  Normalisation result{.batch = true,
                       .mean = moments.mean,
                       .inverse = {},
                       .rows = moments.rows,
                       .over_ranks = norm.over_ranks,
                       .counts = norm.counts};
  const double rows = std::max(moments.rows, 1.0);
  std::vector<double> variance = std::move(moments.squares);
  for (double& v : variance) v /= rows;
  for (const double v : variance) result.inverse.push_back(1 / std::sqrt(v + norm.eps));

  std::vector<double> seen = std::move(moments.mean);  // the layer's bias shifts only the mean
  if (bias.defined()) {
    const std::vector<double> b = doubles(bias);
    for (std::size_t c = 0; c < seen.size(); ++c) seen[c] += b[c];
  }
  if (result.rows == 0) return result;  // nothing to move towards
  for (double& v : variance) v *= rows > 1 ? rows / (rows - 1) : 1;
  move_running(norm.running_mean, seen, norm.momentum);
  move_running(norm.running_var, variance, norm.momentum);
  return result;
}

Normalisation by_running(const Tensor& bias, const BatchNormTensors& norm) {
  Normalisation result{.batch = false, .mean = doubles(norm.running_mean), .inverse = {}};
  for (const double v : doubles(norm.running_var))
    result.inverse.push_back(1 / std::sqrt(v + norm.eps));
  if (bias.defined()) {
    const std::vector<double> b = doubles(bias);
    for (std::size_t c = 0; c < b.size(); ++c) result.mean[c] -= b[c];
  }
  return result;
}

/// {scale, shift} by column; undefined if there are none.
std::pair<Tensor, Tensor> affine(const Normalisation& norm, const Tensor& bias,
                                 const Tensor& weight, const Tensor& offset) {
  if (norm.mean.empty()) return {Tensor(), detail::contiguous_or_undefined(bias)};
  std::vector<double> scale = doubles(weight);
  std::vector<double> shift = doubles(offset);
  for (std::size_t c = 0; c < scale.size(); ++c) {
    scale[c] *= norm.inverse[c];
    shift[c] -= norm.mean[c] * scale[c];
  }
  return {from_doubles(scale, weight.scalar_type()), from_doubles(shift, weight.scalar_type())};
}

template <class T>
kernels::AffineAct<T> arguments(const Tensor& z, const Tensor& scale, const Tensor& shift,
                                const Call& call) {
  return {.rows = z.size(0),
          .channels = z.size(1),
          .z = z.data_ptr<T>(),
          .scale = detail::data_or_null<T>(scale),
          .shift = detail::data_or_null<T>(shift),
          .activation = call.activation,
          .dropout = call.dropout};
}

/// By column: sums of da and of da (z - mean).
struct Sums {
  std::vector<double> da;
  std::vector<double> da_z;
};

/// Of the rows of all ranks that share the batch.
Sums over_ranks(const Normalisation& norm, const Sums& sums) {
  if (norm.over_ranks == nullptr) return sums;
  std::vector<double> all = sums.da;
  all.insert(all.end(), sums.da_z.begin(), sums.da_z.end());
  (*norm.over_ranks)(all);
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(sums.da.size());
  return {{all.begin(), middle}, {middle, all.end()}};
}

/// dz while training, given the sums: gain da + factor z + offset, column by column. 0 for rows
/// that are not of the batch.
std::vector<Tensor> training_columns(const Normalisation& norm, const Tensor& weight,
                                     const Sums& sums) {
  const std::vector<double> w = doubles(weight);
  std::vector<double> gain(w.size());
  std::vector<double> factor(w.size());
  std::vector<double> offset(w.size());
  for (std::size_t c = 0; norm.counts && c < w.size(); ++c) {
    const double inverse = norm.inverse[c];
    gain[c] = w[c] * inverse;
    factor[c] = -gain[c] * inverse * inverse * sums.da_z[c] / norm.rows;
    offset[c] = -gain[c] * sums.da[c] / norm.rows - factor[c] * norm.mean[c];
  }
  const auto type = weight.scalar_type();
  return {from_doubles(gain, type), from_doubles(factor, type), from_doubles(offset, type)};
}

struct NormActFunction : torch::autograd::Function<NormActFunction> {
  static Tensor forward(AutogradContext* ctx, const Tensor& z_in,
                        const torch::optional<Tensor>& bias, const torch::optional<Tensor>& weight,
                        const torch::optional<Tensor>& offset,
                        const torch::optional<Tensor>& residual_in, const Call& call) {
    const Tensor z = z_in.contiguous();
    const Tensor residual = detail::contiguous_or_undefined(detail::undefined_or(residual_in));
    const auto [scale, shift] = affine(call.norm, detail::undefined_or(bias),
                                       detail::undefined_or(weight), detail::undefined_or(offset));
    Tensor y = detail::empty_result(z.sizes(), z.options());
    AT_DISPATCH_FLOATING_TYPES(z.scalar_type(), "norm_act", [&] {
      auto args = arguments<scalar_t>(z, scale, shift, call);
      args.residual = detail::data_or_null<scalar_t>(residual);
      kernels::affine_act<scalar_t>(args, y.data_ptr<scalar_t>(), at::get_num_threads());
    });
    detail::keep(ctx, "call", call);
    ctx->save_for_backward({z, scale, shift, detail::undefined_or(weight)});
    return y;
  }

  static tensor_list backward(AutogradContext* ctx, const tensor_list& grads) {
    detail::check_differentiated_once("norm_act");
    const auto saved = ctx->get_saved_variables();
    const Tensor& z = saved[0];
    const Tensor& weight = saved[3];
    const auto& call = detail::kept<Call>(ctx, "call");
    const Tensor dy = grads[0].contiguous();
    Tensor dz = detail::empty_result(z.sizes(), z.options());
    Sums sums{std::vector<double>(z.size(1)), std::vector<double>(z.size(1))};
    AT_DISPATCH_FLOATING_TYPES(z.scalar_type(), "norm_act", [&] {
      const auto args = arguments<scalar_t>(z, saved[1], saved[2], call);
      const auto* grad = dy.data_ptr<scalar_t>();
      const int threads = at::get_num_threads();
      const kernels::ColumnSums wanted{sums.da.data(), sums.da_z.data()};
      if (!call.norm.batch) {
        const kernels::InputGradient<scalar_t> to{dz.data_ptr<scalar_t>(), args.scale, nullptr,
                                                  nullptr};
        kernels::affine_act_backward<scalar_t>(args, grad, nullptr, to, wanted, threads);
        return;
      }
      const Tensor mean = from_doubles(call.norm.mean, z.scalar_type());
      kernels::affine_act_backward<scalar_t>(args, grad, mean.data_ptr<scalar_t>(), {}, wanted,
                                             threads);
      const auto columns = training_columns(call.norm, weight, over_ranks(call.norm, sums));
      const kernels::InputGradient<scalar_t> to{
          dz.data_ptr<scalar_t>(), columns[0].data_ptr<scalar_t>(), columns[1].data_ptr<scalar_t>(),
          columns[2].data_ptr<scalar_t>()};
      kernels::affine_act_backward<scalar_t>(args, grad, nullptr, to, {}, threads);
    });
    tensor_list gradients = with_column_gradients(dz, weight, call.norm, sums);
    if (!call.has_bias) gradients[1] = Tensor();
    if (call.has_residual) gradients[4] = grads[0];
    return gradients;
  }

  /// {dz, db, dweight, doffset, -, -}.
  static tensor_list with_column_gradients(const Tensor& dz, const Tensor& weight,
                                           const Normalisation& norm, const Sums& sums) {
    const auto type = dz.scalar_type();
    if (norm.mean.empty())
      return {dz, from_doubles(sums.da, type), Tensor(), Tensor(), Tensor(), Tensor()};
    const std::vector<double> w = doubles(weight);
    std::vector<double> dbias(w.size(),
                              0.0);  // a constant, which subtracting the rows' mean cancels
    std::vector<double> dweight(w.size());
    for (std::size_t c = 0; c < w.size(); ++c) {
      // While training, the sum is already centred.
      const double centred = norm.batch ? sums.da_z[c] : sums.da_z[c] - norm.mean[c] * sums.da[c];
      dweight[c] = centred * norm.inverse[c];
      if (!norm.batch) dbias[c] = sums.da[c] * w[c] * norm.inverse[c];
    }
    return {dz,
            from_doubles(dbias, type),
            from_doubles(dweight, type),
            from_doubles(sums.da, type),
            Tensor(),
            Tensor()};
  }
};

}  // namespace

Tensor norm_act(const Tensor& z, const Tensor& bias, const BatchNormTensors* norm,
                Activation activation, Dropout dropout, const Tensor& residual) {
  detail::check_floating("norm_act", "z", z);
  TORCH_CHECK(z.dim() == 2, "norm_act: z must have shape [rows, channels] (got ", z.sizes(), ")");
  check_dropout("norm_act", dropout);
  detail::check_if_defined("norm_act", "bias", bias, {z.size(1)}, z.scalar_type());
  detail::check_if_defined("norm_act", "residual", residual, z.sizes(), z.scalar_type());
  Call call{{}, bias.defined(), residual.defined(), activation, {dropout.p, dropout.seed}};
  if (norm == nullptr) {
    return NormActFunction::apply(z, detail::maybe(bias), detail::maybe({}), detail::maybe({}),
                                  detail::maybe(residual), call);
  }
  for (const Tensor* tensor : {&norm->weight, &norm->bias, &norm->running_mean, &norm->running_var})
    detail::check_shape("norm_act", "norm", *tensor, {z.size(1)});
  call.norm =
      norm->training ? by_rows_at_hand(z.contiguous(), bias, *norm) : by_running(bias, *norm);
  return NormActFunction::apply(z, detail::maybe(bias), detail::maybe(norm->weight),
                                detail::maybe(norm->bias), detail::maybe(residual), call);
}

Tensor dropout_factors(torch::IntArrayRef shape, Dropout dropout, torch::ScalarType type) {
  check_dropout("dropout_factors", dropout);
  Tensor out = torch::empty(shape, type);
  AT_DISPATCH_FLOATING_TYPES(type, "dropout_factors", [&] {
    kernels::dropout_factors<scalar_t>({dropout.p, dropout.seed}, out.numel(),
                                       out.data_ptr<scalar_t>());
  });
  return out;
}

}  // namespace hgnet
