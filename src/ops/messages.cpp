#include "hgnet/ops/messages.hpp"

#include <optional>

#include "hgnet/ops/segment.hpp"
#include "kernels/messages.hpp"
#include "ops/common.hpp"
#include "ops/function.hpp"

namespace hgnet {
namespace {

using detail::tensor_list;
using torch::Tensor;

struct MessageConstant {
  Graph graph;
  Tensor values;
  std::optional<ParentMap> row_of_slot;
};

template <class T>
kernels::Messages<T> arguments(const MessageConstant& constant, const Tensor& x,
                               const Tensor& rows) {
  return {.a = constant.graph.csr(),
          .values = detail::data_or_null<T>(constant.values),
          .x = x.data_ptr<T>(),
          .edge_rows = detail::data_or_null<T>(rows),
          .row_of_slot = constant.row_of_slot ? constant.row_of_slot->parents().data() : nullptr,
          .channels = x.size(1)};
}

struct ReluMessagesFunction : detail::Function<ReluMessagesFunction> {
  static constexpr const char* kName = "relu_messages";
  struct Kept {
    MessageConstant constant;
    detail::Saved x;
    detail::Saved rows;
  };

  static Tensor forward(Kept& kept, const Tensor& x_in, const Tensor& rows_in) {
    const Tensor x = x_in.contiguous();
    const Tensor rows = detail::contiguous_or_undefined(rows_in);
    Tensor y = detail::empty_result(x.sizes(), x.scalar_type());
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "relu_messages", [&] {
      kernels::relu_messages<scalar_t>(arguments<scalar_t>(kept.constant, x, rows),
                                       y.data_ptr<scalar_t>(), at::get_num_threads());
    });
    kept.x = x;
    kept.rows = rows;
    return y;
  }

  static tensor_list backward(const Kept& kept, const tensor_list& grads) {
    const Tensor x = kept.x.get();
    const Tensor rows = kept.rows.get();
    const MessageConstant& constant = kept.constant;
    const Tensor dy = grads[0].contiguous();
    Tensor dx = detail::empty_result(x.sizes(), x.scalar_type());
    Tensor drows;
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "relu_messages", [&] {
      const auto args = arguments<scalar_t>(constant, x, rows);
      const auto* grad = dy.data_ptr<scalar_t>();
      const int threads = at::get_num_threads();
      kernels::relu_messages_backward<scalar_t>(args, constant.graph.reverse().data(), grad,
                                                dx.data_ptr<scalar_t>(), threads);
      if (!rows.defined()) return;
      drows = detail::empty_result({constant.graph.num_edges(), x.size(1)}, x.scalar_type());
      kernels::relu_messages_edge_backward<scalar_t>(args, grad, drows.data_ptr<scalar_t>(),
                                                     threads);
    });
    if (rows.defined() && constant.row_of_slot) drows = segment_sum(drows, *constant.row_of_slot);
    return {dx, drows};
  }
};

}  // namespace

Tensor relu_messages(const Graph& graph, const Tensor& values, const Tensor& x,
                     const EdgeRows& edges) {
  detail::check_matrix("relu_messages", "x", x, graph.num_nodes());
  MessageConstant constant{graph, detail::contiguous_or_undefined(values), std::nullopt};
  detail::check_if_defined("relu_messages", "values", values, {graph.num_edges()}, x.scalar_type());
  TORCH_CHECK(!detail::needs_gradient(values), "relu_messages: values must not need a gradient");
  if (edges.rows.defined()) {
    std::int64_t rows = graph.num_edges();
    if (edges.row_of_slot) {
      constant.row_of_slot = *edges.row_of_slot;
      rows = edges.row_of_slot->num_parents();
      TORCH_CHECK(
          edges.row_of_slot->num_children() == graph.num_edges() && edges.row_of_slot->is_total(),
          "relu_messages: every one of the ", graph.num_edges(), " slots needs a row");
    }
    detail::check_shape("relu_messages", "edge rows", edges.rows, {rows, x.size(1)});
    detail::check_same_type("relu_messages", "edge rows", edges.rows, x.scalar_type());
  }
  return ReluMessagesFunction::apply(ReluMessagesFunction::Kept{std::move(constant), {}, {}}, x,
                                     edges.rows);
}

}  // namespace hgnet
