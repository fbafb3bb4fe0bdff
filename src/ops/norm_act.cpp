#include "hgnet/ops/norm_act.hpp"

#include <vector>

#include "kernels/affine_act.hpp"
#include "ops/common.hpp"
#include "ops/function.hpp"
#include "ops/normalisation.hpp"

namespace hgnet {
namespace {

using detail::Normalisation;
using detail::tensor_list;
using torch::Tensor;

struct Call {
  Normalisation norm;
  bool has_bias = false;
  bool has_residual = false;
  Activation activation = Activation::kNone;
  kernels::DropoutMask dropout;
};

void check_dropout(const char* op, Dropout dropout) {
  TORCH_CHECK(dropout.p >= 0 && dropout.p < 1, op, ": dropout must be in [0, 1) (got ", dropout.p,
              ")");
}

/// Scale and shift by column, [2, C]: norm(z + b) = scale z + shift. Undefined without a norm.
Tensor affine(const Normalisation& norm, const Tensor& weight, const Tensor& offset) {
  if (norm.is_none()) return {};
  const std::vector<double> w = detail::doubles(weight);
  const std::vector<double> o = detail::doubles(offset);
  Tensor result = detail::empty({2, weight.size(0)}, weight.scalar_type());
  AT_DISPATCH_FLOATING_TYPES(weight.scalar_type(), "norm_act", [&] {
    auto* scale = result.data_ptr<scalar_t>();
    auto* shift = scale + w.size();
    for (std::size_t c = 0; c < w.size(); ++c) {
      const double s = w[c] * norm.inverse[c];
      scale[c] = static_cast<scalar_t>(s);
      shift[c] = static_cast<scalar_t>(o[c] - norm.mean[c] * s);
    }
  });
  return result;
}

/// By column: sums of da and of da (z - mean).
struct Sums {
  std::vector<double> da;
  std::vector<double> da_z;
};

/// Of the rows of all ranks that share the batch.
Sums over_ranks(const Normalisation& norm, const Sums& sums) {
  std::vector<double> all = sums.da;
  all.insert(all.end(), sums.da_z.begin(), sums.da_z.end());
  (*norm.over_ranks)(all);
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(sums.da.size());
  return {{all.begin(), middle}, {middle, all.end()}};
}

/// dz while training, given the sums: gain da + factor z + offset, column by column; {gain, factor,
/// offset} in one. 0 for rows that are not of the batch.
template <class T>
std::vector<T> training_columns(const Normalisation& norm, const T* weight, const Sums& sums) {
  const std::size_t columns = sums.da.size();
  std::vector<T> result(3 * columns);
  for (std::size_t c = 0; norm.counts && c < columns; ++c) {
    const double inverse = norm.inverse[c];
    const double gain = weight[c] * inverse;
    const double factor = -gain * inverse * inverse * sums.da_z[c] / norm.rows;
    result[c] = static_cast<T>(gain);
    result[columns + c] = static_cast<T>(factor);
    result[2 * columns + c] =
        static_cast<T>(-gain * sums.da[c] / norm.rows - factor * norm.mean[c]);
  }
  return result;
}

struct NormActFunction : detail::Function<NormActFunction> {
  static constexpr const char* kName = "norm_act";
  struct Kept {
    Call call;
    detail::Saved z;
    detail::Saved bias;
    detail::Saved weight;
    Tensor affine;
  };

  template <class T>
  static kernels::AffineAct<T> arguments(const Kept& kept, const Tensor& z, const Tensor& bias) {
    const T* scale = detail::data_or_null<T>(kept.affine);
    return {.rows = z.size(0),
            .channels = z.size(1),
            .z = z.data_ptr<T>(),
            .scale = scale,
            .shift = scale == nullptr ? detail::data_or_null<T>(bias) : scale + z.size(1),
            .activation = kept.call.activation,
            .dropout = kept.call.dropout};
  }

  static Tensor forward(Kept& kept, const Tensor& z_in, const Tensor& bias_in, const Tensor& weight,
                        const Tensor& offset, const Tensor& residual_in) {
    const Tensor z = z_in.contiguous();
    const Tensor bias = detail::contiguous_or_undefined(bias_in);
    const Tensor residual = detail::contiguous_or_undefined(residual_in);
    kept.affine = affine(kept.call.norm, weight, offset);
    Tensor y = detail::empty_result(z.sizes(), z.scalar_type());
    AT_DISPATCH_FLOATING_TYPES(z.scalar_type(), "norm_act", [&] {
      auto args = arguments<scalar_t>(kept, z, bias);
      args.residual = detail::data_or_null<scalar_t>(residual);
      kernels::affine_act<scalar_t>(args, y.data_ptr<scalar_t>(), at::get_num_threads());
    });
    kept.z = z;
    kept.bias = bias;
    kept.weight = detail::contiguous_or_undefined(weight);
    return y;
  }

  static tensor_list backward(const Kept& kept, const tensor_list& grads) {
    const Tensor z = kept.z.get();
    const Tensor bias = kept.bias.get();
    const Tensor weight = kept.weight.get();
    const Normalisation& norm = kept.call.norm;
    const Tensor dz = kept.call.has_residual ? detail::like(grads[0]) : detail::over(grads[0]);
    const Tensor dy = grads[0].contiguous();
    Sums sums{std::vector<double>(z.size(1)), std::vector<double>(z.size(1))};
    AT_DISPATCH_FLOATING_TYPES(z.scalar_type(), "norm_act", [&] {
      const auto args = arguments<scalar_t>(kept, z, bias);
      const auto* grad = dy.data_ptr<scalar_t>();
      auto* to = dz.data_ptr<scalar_t>();
      const int threads = at::get_num_threads();
      const kernels::ColumnSums wanted{sums.da.data(), sums.da_z.data()};
      if (!norm.batch) {
        kernels::affine_act_backward<scalar_t>(args, grad, nullptr,
                                               {to, args.scale, nullptr, nullptr}, wanted, threads);
        return;
      }
      const std::vector<scalar_t> mean(norm.mean.begin(), norm.mean.end());
      kernels::affine_act_backward<scalar_t>(args, grad, mean.data(), {}, wanted, threads);
      const auto columns =
          training_columns<scalar_t>(norm, weight.data_ptr<scalar_t>(),
                                     norm.over_ranks == nullptr ? sums : over_ranks(norm, sums));
      const scalar_t* gain = columns.data();
      kernels::affine_act_backward<scalar_t>(
          args, grad, nullptr, {to, gain, gain + z.size(1), gain + 2 * z.size(1)}, {}, threads);
    });
    tensor_list gradients = with_column_gradients(kept, dz, weight, sums);
    if (kept.call.has_residual) gradients[4] = grads[0];
    return gradients;
  }

  /// {dz, db, dweight, doffset, -}.
  static tensor_list with_column_gradients(const Kept& kept, const Tensor& dz, const Tensor& weight,
                                           const Sums& sums) {
    const Normalisation& norm = kept.call.norm;
    const std::size_t columns = sums.da.size();
    tensor_list result{dz, Tensor(), Tensor(), Tensor(), Tensor()};
    const auto fill = [&](std::size_t at, const auto& value) {
      result[at] = detail::empty({dz.size(1)}, dz.scalar_type());
      AT_DISPATCH_FLOATING_TYPES(dz.scalar_type(), "norm_act", [&] {
        auto* to = result[at].data_ptr<scalar_t>();
        for (std::size_t c = 0; c < columns; ++c) to[c] = static_cast<scalar_t>(value(c));
      });
    };
    const auto sum = [&](std::size_t c) { return sums.da[c]; };
    if (norm.is_none()) {
      if (kept.call.has_bias) fill(1, sum);
      return result;
    }
    const std::vector<double> w = detail::doubles(weight);
    // While training, the bias is a constant that subtracting the rows' mean cancels, and the sum
    // is already centred.
    if (kept.call.has_bias)
      fill(1, [&](std::size_t c) { return norm.batch ? 0 : sums.da[c] * w[c] * norm.inverse[c]; });
    fill(2, [&](std::size_t c) {
      const double centred = norm.batch ? sums.da_z[c] : sums.da_z[c] - norm.mean[c] * sums.da[c];
      return centred * norm.inverse[c];
    });
    fill(3, sum);
    return result;
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
  NormActFunction::Kept kept;
  kept.call = {{}, bias.defined(), residual.defined(), activation, {dropout.p, dropout.seed}};
  if (norm == nullptr)
    return NormActFunction::apply(std::move(kept), z, bias, Tensor(), Tensor(), residual);
  for (const Tensor* tensor : {&norm->weight, &norm->bias, &norm->running_mean, &norm->running_var})
    detail::check_shape("norm_act", "norm", *tensor, {z.size(1)});
  kept.call.norm = norm->training ? detail::by_rows_at_hand(z.contiguous(), bias, *norm)
                                  : detail::by_running(bias, *norm);
  return NormActFunction::apply(std::move(kept), z, bias, norm->weight, norm->bias, residual);
}

Tensor dropout_factors(torch::IntArrayRef shape, Dropout dropout, torch::ScalarType type) {
  check_dropout("dropout_factors", dropout);
  Tensor out = detail::empty(shape, type);
  AT_DISPATCH_FLOATING_TYPES(type, "dropout_factors", [&] {
    kernels::dropout_factors<scalar_t>({dropout.p, dropout.seed}, out.numel(),
                                       out.data_ptr<scalar_t>());
  });
  return out;
}

}  // namespace hgnet
