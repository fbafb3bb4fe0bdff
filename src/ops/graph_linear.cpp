#include "hgnet/ops/graph_linear.hpp"

#include "kernels/linear.hpp"
#include "ops/constant_operator.hpp"
#include "ops/function.hpp"
#include "ops/transposed.hpp"

namespace hgnet {
namespace {

using detail::tensor_list;
using torch::Tensor;

/// The parts that are not variables of the call.
struct LinearConstant {
  detail::ConstantOperator matrix;
  bool root = false;
};

/// The sparse part of the kernel's arguments.
template <class T>
kernels::LinearRows<T> with_matrix(const detail::ConstantOperator& constant, bool transposed) {
  return {.rows = constant.m.graph.num_nodes(),
          .a = constant.m.graph.csr(),
          .values = constant.values<T>(transposed),
          .diagonal = detail::data_or_null<T>(constant.m.diagonal)};
}

struct GraphLinearFunction : detail::Function<GraphLinearFunction> {
  static constexpr const char* kName = "graph_linear";
  struct Kept {
    LinearConstant constant;
    detail::Saved x;
    detail::Saved weight;
    bool grad_x = false;
  };

  static tensor_list forward(Kept& kept, const Tensor& x_in, const Tensor& weight_in,
                             const Tensor& parent_rows) {
    const LinearConstant& constant = kept.constant;
    const Tensor x = x_in.contiguous();
    const Tensor weight = weight_in.contiguous();
    const Tensor rows = detail::contiguous_or_undefined(parent_rows);
    const std::int64_t out = weight.size(0) / (constant.root ? 2 : 1);
    Tensor z = detail::empty_result({x.size(0), out}, x.scalar_type());
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "graph_linear", [&] {
      const auto first = detail::transposed<scalar_t>(weight, 0, out);
      const auto second = detail::transposed<scalar_t>(weight, weight.size(0) - out, out);
      auto args = with_matrix<scalar_t>(constant.matrix, false);
      args.in = x.size(1);
      args.out = out;
      args.x = x.data_ptr<scalar_t>();
      args.root = constant.root ? first.data() : nullptr;
      args.weight = second.data();
      args.parent = constant.matrix.parents();
      args.parent_rows = detail::data_or_null<scalar_t>(rows);
      args.y = z.data_ptr<scalar_t>();
      kernels::linear_rows<scalar_t>(args, at::get_num_threads());
    });
    kept.x = x;
    kept.weight = weight;
    kept.grad_x = detail::needs_gradient(x_in);
    return {z, detail::alias(x_in)};
  }

  static tensor_list backward(const Kept& kept, const tensor_list& grads) {
    if (!grads[0].defined()) return {grads[1], Tensor(), Tensor()};
    const LinearConstant& constant = kept.constant;
    const Tensor x = kept.x.get();
    const Tensor weight = kept.weight.get();
    const Tensor dz = grads[0].contiguous();
    Tensor dx;
    Tensor dweight = detail::empty(weight.sizes(), weight.scalar_type());
    if (kept.grad_x) {
      dx = grads[1].defined() ? detail::over(grads[1]) : detail::like(x);
      both_gradients(constant, x, weight, dz, detail::contiguous_or_undefined(grads[1]), dx,
                     dweight);
    } else {
      weight_gradient(constant, x, dz, dweight);
    }
    return {dx, dweight, detail::gradient_of_parent_rows(constant.matrix, dz)};
  }

  static void both_gradients(const LinearConstant& constant, const Tensor& x, const Tensor& weight,
                             const Tensor& dz, const Tensor& add, const Tensor& dx,
                             const Tensor& dweight) {
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "graph_linear", [&] {
      const std::int64_t second = constant.root ? weight.numel() / 2 : 0;
      auto args = with_matrix<scalar_t>(constant.matrix, true);
      args.in = dz.size(1);
      args.out = x.size(1);
      args.x = dz.data_ptr<scalar_t>();
      args.root = constant.root ? weight.data_ptr<scalar_t>() : nullptr;
      args.weight = weight.data_ptr<scalar_t>() + second;
      args.add = detail::data_or_null<scalar_t>(add);
      args.y = dx.data_ptr<scalar_t>();
      args.other = x.data_ptr<scalar_t>();
      args.other_width = x.size(1);
      args.own_outer = constant.root ? dweight.data_ptr<scalar_t>() : nullptr;
      args.gathered_outer = dweight.data_ptr<scalar_t>() + second;
      kernels::linear_rows<scalar_t>(args, at::get_num_threads());
    });
  }

  /// Computed as (M X)^T dz: x is no wider than dz, so it is cheaper to gather.
  static void weight_gradient(const LinearConstant& constant, const Tensor& x, const Tensor& dz,
                              const Tensor& dweight) {
    const std::int64_t out = dz.size(1);
    const std::int64_t size = x.size(1) * out;
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "graph_linear", [&] {
      auto args = with_matrix<scalar_t>(constant.matrix, false);
      args.in = x.size(1);
      args.x = x.data_ptr<scalar_t>();
      args.other = dz.data_ptr<scalar_t>();
      args.other_width = out;
      std::vector<scalar_t> by_input(static_cast<std::size_t>(dweight.numel()));
      args.own_outer = constant.root ? by_input.data() : nullptr;
      args.gathered_outer = by_input.data() + (constant.root ? size : 0);
      kernels::linear_rows<scalar_t>(args, at::get_num_threads());
      for (std::int64_t at = 0; at < dweight.numel(); at += size)
        detail::transpose(by_input.data() + at, x.size(1), out, dweight.data_ptr<scalar_t>() + at);
    });
  }
};

}  // namespace

ProductAndRows graph_linear(const SparseOperator& m, const Tensor& x, const Tensor& weight,
                            const GraphLinearOptions& options) {
  detail::check_matrix("graph_linear", "x", x, m.graph.num_nodes());
  detail::check_floating("graph_linear", "weight", weight);
  TORCH_CHECK(weight.dim() == 2 && weight.size(1) == x.size(1) &&
                  (!options.root || weight.size(0) % 2 == 0),
              "graph_linear: weight must have shape [", options.root ? "2 out" : "out", ", ",
              x.size(1), "] (got ", weight.sizes(), ")");
  detail::check_same_type("graph_linear", "weight", weight, x.scalar_type());
  const std::int64_t out = weight.size(0) / (options.root ? 2 : 1);
  LinearConstant constant{
      detail::constant_operator("graph_linear", m, options.parents, out, x.scalar_type()),
      options.root};
  const Tensor parent_rows = options.parents == nullptr ? Tensor() : options.parents->rows;
  const tensor_list result = GraphLinearFunction::apply(
      GraphLinearFunction::Kept{std::move(constant), {}, {}, false}, x, weight, parent_rows);
  return {result[0], result[1]};
}

}  // namespace hgnet
