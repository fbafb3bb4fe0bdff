#include "hgnet/ops/graph_linear.hpp"

#include "kernels/linear.hpp"
#include "ops/constant_operator.hpp"
#include "ops/transposed.hpp"

namespace hgnet {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

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

struct GraphLinearFunction : torch::autograd::Function<GraphLinearFunction> {
  static tensor_list forward(AutogradContext* ctx, const Tensor& x_in, const Tensor& weight_in,
                             const torch::optional<Tensor>& parent_rows,
                             const LinearConstant& constant) {
    const Tensor x = x_in.contiguous();
    const Tensor weight = weight_in.contiguous();
    const Tensor rows = detail::contiguous_or_undefined(detail::undefined_or(parent_rows));
    const std::int64_t out = weight.size(0) / (constant.root ? 2 : 1);
    Tensor z = detail::empty_result({x.size(0), out}, x.options());
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
    detail::keep(ctx, "constant", constant);
    ctx->saved_data["grad_x"] = detail::needs_gradient(x_in);
    ctx->save_for_backward({x, weight});
    ctx->set_materialize_grads(false);
    return {z, x_in};
  }

  static tensor_list backward(AutogradContext* ctx, const tensor_list& grads) {
    detail::check_differentiated_once("graph_linear");
    const auto saved = ctx->get_saved_variables();
    const Tensor& x = saved[0];
    const Tensor& weight = saved[1];
    const auto& constant = detail::kept<LinearConstant>(ctx, "constant");
    if (!grads[0].defined()) return {grads[1], Tensor(), Tensor(), Tensor()};
    const Tensor dz = grads[0].contiguous();
    const bool grad_x = ctx->saved_data["grad_x"].toBool();
    Tensor dx;
    Tensor dweight = torch::empty(weight.sizes(), weight.options());
    if (grad_x) {
      dx = detail::empty_result(x.sizes(), x.options());
      both_gradients(constant, x, weight, dz, detail::contiguous_or_undefined(grads[1]), dx,
                     dweight);
    } else {
      weight_gradient(constant, x, dz, dweight);
    }
    return {dx, dweight, detail::gradient_of_parent_rows(constant.matrix, dz), Tensor()};
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
    Tensor by_input = torch::empty({constant.root ? 2 : 1, x.size(1), out}, x.options());
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "graph_linear", [&] {
      auto args = with_matrix<scalar_t>(constant.matrix, false);
      args.in = x.size(1);
      args.x = x.data_ptr<scalar_t>();
      args.other = dz.data_ptr<scalar_t>();
      args.other_width = out;
      auto* first = by_input.data_ptr<scalar_t>();
      args.own_outer = constant.root ? first : nullptr;
      args.gathered_outer = first + (constant.root ? x.size(1) * out : 0);
      kernels::linear_rows<scalar_t>(args, at::get_num_threads());
    });
    dweight.copy_(by_input.transpose(1, 2).reshape(dweight.sizes()));
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
  const LinearConstant constant{
      detail::constant_operator("graph_linear", m, options.parents, out, x.scalar_type()),
      options.root};
  const Tensor parent_rows = options.parents == nullptr ? Tensor() : options.parents->rows;
  const tensor_list result =
      GraphLinearFunction::apply(x, weight, detail::maybe(parent_rows), constant);
  return {result[0], result[1]};
}

}  // namespace hgnet
