#include "hgnet/ops/spmm.hpp"
#include "kernels/spmm.hpp"
#include "ops/common.hpp"
#include "ops/function.hpp"
#include "ops/transposed.hpp"

namespace hgnet {
namespace {

using detail::tensor_list;
using torch::Tensor;

struct SparseLinearFunction : detail::Function<SparseLinearFunction> {
  static constexpr const char* kName = "sparse_linear";
  struct Kept {
    SparseMatrix m;
    Tensor values;  // undefined: the matrix's own

    template <class T>
    const T* value_of_slot() const {
      if (values.defined()) return values.data_ptr<T>();
      if constexpr (std::is_same_v<T, float>) return m.values().data();
      return nullptr;
    }
  };

  static Tensor forward(const Kept& kept, const Tensor& weight_in) {
    const Tensor weight = weight_in.contiguous();
    const std::int64_t channels = weight.size(0);
    Tensor y = detail::empty_result({kept.m.num_rows(), channels}, weight.scalar_type());
    AT_DISPATCH_FLOATING_TYPES(weight.scalar_type(), "sparse_linear", [&] {
      const auto by_column = detail::transposed<scalar_t>(weight);
      kernels::spmm<scalar_t>({.a = kept.m.csr(),
                               .values = {kept.value_of_slot<scalar_t>(), nullptr},
                               .x = {by_column.data(), channels},
                               .y = {y.data_ptr<scalar_t>(), channels},
                               .channels = channels},
                              at::get_num_threads());
    });
    return y;
  }

  static tensor_list backward(const Kept& kept, const tensor_list& grads) {
    const Tensor dy = grads[0].contiguous();
    const std::int64_t channels = dy.size(1);
    const std::int64_t columns = kept.m.num_columns();
    Tensor dweight = detail::empty({channels, columns}, dy.scalar_type());
    AT_DISPATCH_FLOATING_TYPES(dy.scalar_type(), "sparse_linear", [&] {
      std::vector<scalar_t> by_column(static_cast<std::size_t>(columns * channels));
      kernels::transposed_spmm<scalar_t>({.a = kept.m.csr(),
                                          .values = kept.value_of_slot<scalar_t>(),
                                          .x = dy.data_ptr<scalar_t>(),
                                          .y = by_column.data(),
                                          .channels = channels},
                                         at::get_num_threads());
      detail::transpose(by_column.data(), columns, channels, dweight.data_ptr<scalar_t>());
    });
    return {dweight};
  }
};

}  // namespace

Tensor sparse_linear(const SparseMatrix& m, const Tensor& weight, const Tensor& values) {
  detail::check_floating("sparse_linear", "weight", weight);
  TORCH_CHECK(weight.dim() == 2 && weight.size(1) == m.num_columns(),
              "sparse_linear: weight must have shape [channels, ", m.num_columns(), "] (got ",
              weight.sizes(), ")");
  detail::check_if_defined("sparse_linear", "values", values, {m.num_entries()},
                           weight.scalar_type());
  TORCH_CHECK(!detail::needs_gradient(values),
              "sparse_linear: the values must not need a gradient");
  Tensor used = detail::contiguous_or_undefined(values);
  if (!used.defined() && weight.scalar_type() != torch::kFloat32)
    used = torch::tensor(at::ArrayRef<float>(m.values().data(), m.values().size()))
               .to(weight.scalar_type());
  return SparseLinearFunction::apply(SparseLinearFunction::Kept{m, used}, weight);
}

}  // namespace hgnet
