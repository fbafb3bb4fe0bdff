#include "hgnet/ops/cross_entropy.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/softmax.hpp"
#include "ops/common.hpp"
#include "ops/function.hpp"

namespace hgnet {
namespace {

using detail::tensor_list;
using torch::Tensor;

void exponentials(float* x, std::int64_t n) {
  kernels::exponentials({x, static_cast<std::size_t>(n)});
}

void exponentials(double* x, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) x[i] = std::exp(x[i]);
}

struct CrossEntropyFunction : detail::Function<CrossEntropyFunction> {
  static constexpr const char* kName = "cross_entropy";
  struct Kept {
    std::vector<std::int32_t> classes;
    std::vector<double> weights;  // empty: 1
    Tensor gradient;              // of the mean, by x

    double weight(std::int32_t c) const { return weights.empty() ? 1.0 : weights[c]; }
  };

  /// The mean, and its gradient in the same pass: both need the exponentials.
  static Tensor forward(Kept& kept, const Tensor& x_in) {
    const Tensor x = x_in.contiguous();
    const std::int64_t width = x.size(1);
    kept.gradient = detail::empty_result(x.sizes(), x.scalar_type());
    double total = 0;
    for (const std::int32_t c : kept.classes) total += c < 0 ? 0 : kept.weight(c);
    const double share = total > 0 ? 1 / total : 0;
    double loss = 0;
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "cross_entropy", [&] {
      const auto* row = x.data_ptr<scalar_t>();
      auto* out = kept.gradient.data_ptr<scalar_t>();
      for (std::int64_t i = 0; i < x.numel(); i += width) {
        const scalar_t largest = *std::max_element(row + i, row + i + width);
        for (std::int64_t k = 0; k < width; ++k) out[i + k] = row[i + k] - largest;
      }
      std::vector<scalar_t> at_class(kept.classes.size());
      for (std::size_t i = 0; i < at_class.size(); ++i) {
        if (kept.classes[i] >= 0) at_class[i] = out[i * width + kept.classes[i]];
      }
      exponentials(out, x.numel());
      for (std::size_t i = 0; i < at_class.size(); ++i, out += width) {
        const std::int32_t c = kept.classes[i];
        double sum = 0;
        for (std::int64_t k = 0; k < width; ++k) sum += out[k];
        const double weight = c < 0 ? 0 : kept.weight(c) * share;
        const auto scale = static_cast<scalar_t>(weight / sum);
        for (std::int64_t k = 0; k < width; ++k) out[k] = c < 0 ? 0 : out[k] * scale;
        if (c < 0) continue;
        loss += weight * (std::log(sum) - at_class[i]);
        out[c] -= static_cast<scalar_t>(weight);
      }
    });
    Tensor result = detail::empty({}, x.scalar_type());
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "cross_entropy",
                               [&] { *result.data_ptr<scalar_t>() = static_cast<scalar_t>(loss); });
    return result;
  }

  static tensor_list backward(const Kept& kept, const tensor_list& grads) {
    Tensor dx = detail::empty_result(kept.gradient.sizes(), kept.gradient.scalar_type());
    AT_DISPATCH_FLOATING_TYPES(dx.scalar_type(), "cross_entropy", [&] {
      const auto factor = *grads[0].data_ptr<scalar_t>();
      const auto* from = kept.gradient.data_ptr<scalar_t>();
      std::transform(from, from + dx.numel(), dx.data_ptr<scalar_t>(),
                     [&](scalar_t g) { return g * factor; });
    });
    return {dx};
  }
};

}  // namespace

Tensor cross_entropy(const Tensor& x, const std::vector<std::int32_t>& classes,
                     const Tensor& weights) {
  detail::check_matrix("cross_entropy", "x", x, static_cast<std::int64_t>(classes.size()));
  detail::check_if_defined("cross_entropy", "weights", weights, {x.size(1)}, x.scalar_type());
  for (const std::int32_t c : classes)
    TORCH_CHECK(c < x.size(1), "cross_entropy: class ", c, " of ", x.size(1));
  CrossEntropyFunction::Kept kept{classes, {}, {}};
  if (weights.defined()) kept.weights = detail::doubles(weights);
  return CrossEntropyFunction::apply(std::move(kept), x);
}

}  // namespace hgnet
