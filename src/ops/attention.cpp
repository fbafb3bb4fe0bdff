#include "hgnet/ops/attention.hpp"

#include <algorithm>
#include <vector>

#include "kernels/attention.hpp"
#include "kernels/linear.hpp"
#include "ops/common.hpp"
#include "ops/function.hpp"
#include "ops/transposed.hpp"

namespace hgnet {
namespace {

using detail::tensor_list;
using torch::Tensor;

template <class T>
kernels::Attention<T> kernel_args(const Graph& graph, double slope, const Tensor& x,
                                  const Tensor& source, const Tensor& target) {
  const std::int64_t heads = source.size(1);
  return {graph.csr(),           heads,           x.size(1) / heads,
          static_cast<T>(slope), x.data_ptr<T>(), source.data_ptr<T>(),
          target.data_ptr<T>()};
}

struct AttentionFunction : detail::Function<AttentionFunction> {
  static constexpr const char* kName = "attention";
  struct Kept {
    Graph graph;
    double slope = 0;
    Tensor keep;
    detail::Saved x;
    detail::Saved source;
    detail::Saved target;
    Tensor alpha;
    Tensor kept;  // alpha after dropout
  };

  static Tensor forward(Kept& saved, const Tensor& x_in, const Tensor& source_in,
                        const Tensor& target_in) {
    const Graph& graph = saved.graph;
    const Tensor x = x_in.contiguous();
    const Tensor source = source_in.contiguous();
    const Tensor target = target_in.contiguous();
    const Tensor keep = detail::contiguous_or_undefined(saved.keep);
    Tensor alpha = detail::empty_result({graph.num_edges() + graph.num_nodes(), source.size(1)},
                                        x.scalar_type());
    const Tensor kept =
        keep.defined() ? detail::empty_result(alpha.sizes(), x.scalar_type()) : alpha;
    Tensor y = detail::empty_result(x.sizes(), x.scalar_type());
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "attention", [&] {
      kernels::attention(kernel_args<scalar_t>(graph, saved.slope, x, source, target),
                         detail::data_or_null<scalar_t>(keep), alpha.data_ptr<scalar_t>(),
                         kept.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), at::get_num_threads());
    });
    saved.keep = Tensor();
    saved.x = x;
    saved.source = source;
    saved.target = target;
    saved.alpha = alpha;
    saved.kept = kept;
    return y;
  }

  static tensor_list backward(const Kept& saved, const tensor_list& grads) {
    const Tensor x = saved.x.get();
    const Tensor source = saved.source.get();
    const Tensor target = saved.target.get();
    const Graph& graph = saved.graph;
    const Tensor dy = grads[0].contiguous();
    Tensor dx = detail::empty_result(x.sizes(), x.scalar_type());
    Tensor dsource = detail::empty(source.sizes(), source.scalar_type());
    Tensor dtarget = detail::empty(target.sizes(), target.scalar_type());
    Tensor dlogits = detail::empty_result(saved.alpha.sizes(), x.scalar_type());
    AT_DISPATCH_FLOATING_TYPES(dx.scalar_type(), "attention", [&] {
      kernels::attention_backward(kernel_args<scalar_t>(graph, saved.slope, x, source, target),
                                  graph.reverse().data(), saved.alpha.data_ptr<scalar_t>(),
                                  saved.kept.data_ptr<scalar_t>(), dy.data_ptr<scalar_t>(),
                                  {dx.data_ptr<scalar_t>(), dsource.data_ptr<scalar_t>(),
                                   dtarget.data_ptr<scalar_t>(), dlogits.data_ptr<scalar_t>()},
                                  at::get_num_threads());
    });
    return {dx, dsource, dtarget};
  }
};

/// Both vectors of all heads as one matrix [2 heads, heads * channels], one block per head: the
/// scores are then one product for all of them.
template <class T>
std::vector<T> blocks(const Tensor& source, const Tensor& target) {
  const std::int64_t heads = source.size(0);
  const std::int64_t channels = source.size(1);
  std::vector<T> result(static_cast<std::size_t>(2 * heads * heads * channels));
  const auto put = [&](const T* from, std::int64_t first_row) {
    for (std::int64_t h = 0; h < heads; ++h)
      std::copy_n(from + h * channels, channels,
                  result.data() + ((first_row + h) * heads + h) * channels);
  };
  put(source.data_ptr<T>(), 0);
  put(target.data_ptr<T>(), heads);
  return result;
}

/// The blocks of such a matrix from row `first_row` on, [heads, channels].
template <class T>
Tensor of_blocks(const std::vector<T>& matrix, std::int64_t first_row, const Tensor& like) {
  Tensor result = detail::empty(like.sizes(), like.scalar_type());
  const std::int64_t channels = like.size(1);
  for (std::int64_t h = 0; h < like.size(0); ++h)
    std::copy_n(matrix.data() + ((first_row + h) * like.size(0) + h) * channels, channels,
                result.data_ptr<T>() + h * channels);
  return result;
}

struct HeadScoresFunction : detail::Function<HeadScoresFunction> {
  static constexpr const char* kName = "head_scores";
  struct Kept {
    detail::Saved x;
    detail::Saved source;
    detail::Saved target;
  };

  static tensor_list forward(Kept& kept, const Tensor& x_in, const Tensor& source_in,
                             const Tensor& target_in) {
    const Tensor x = x_in.contiguous();
    const Tensor source = source_in.contiguous();
    const Tensor target = target_in.contiguous();
    const std::int64_t heads = source.size(0);
    Tensor of_source = detail::empty({x.size(0), heads}, x.scalar_type());
    Tensor of_target = detail::empty({x.size(0), heads}, x.scalar_type());
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "head_scores", [&] {
      const auto matrix = blocks<scalar_t>(source, target);
      std::vector<scalar_t> root(matrix.size());
      detail::transpose(matrix.data(), 2 * heads, x.size(1), root.data());
      std::vector<scalar_t> both(static_cast<std::size_t>(x.size(0) * 2 * heads));
      kernels::linear_rows<scalar_t>({.rows = x.size(0),
                                      .in = x.size(1),
                                      .out = 2 * heads,
                                      .x = x.data_ptr<scalar_t>(),
                                      .root = root.data(),
                                      .y = both.data()},
                                     at::get_num_threads());
      const std::int64_t rows = x.size(0);
      const scalar_t* row = both.data();
      auto* to_source = of_source.data_ptr<scalar_t>();
      auto* to_target = of_target.data_ptr<scalar_t>();
      for (std::int64_t v = 0; v < rows; ++v, row += 2 * heads) {
        std::copy_n(row, heads, to_source + v * heads);
        std::copy_n(row + heads, heads, to_target + v * heads);
      }
    });
    kept = {x, source, target};
    return {of_source, of_target, detail::alias(x_in)};
  }

  static tensor_list backward(const Kept& kept, const tensor_list& grads) {
    if (!grads[0].defined() && !grads[1].defined()) return {grads[2], Tensor(), Tensor()};
    const Tensor x = kept.x.get();
    const Tensor source = kept.source.get();
    const Tensor target = kept.target.get();
    const Tensor add = detail::contiguous_or_undefined(grads[2]);
    const std::int64_t heads = source.size(0);
    Tensor dx = detail::empty_result(x.sizes(), x.scalar_type());
    Tensor dsource;
    Tensor dtarget;
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "head_scores", [&] {
      std::vector<scalar_t> both(static_cast<std::size_t>(x.size(0) * 2 * heads));
      for (const int side : {0, 1}) {
        if (!grads[side].defined()) continue;
        const Tensor grad = grads[side].contiguous();
        const auto* from = grad.data_ptr<scalar_t>();
        const std::int64_t rows = x.size(0);
        for (std::int64_t v = 0; v < rows; ++v)
          std::copy_n(from + v * heads, heads, both.data() + (2 * v + side) * heads);
      }
      const auto matrix = blocks<scalar_t>(source, target);
      std::vector<scalar_t> dmatrix(matrix.size());
      kernels::linear_rows<scalar_t>({.rows = x.size(0),
                                      .in = 2 * heads,
                                      .out = x.size(1),
                                      .x = both.data(),
                                      .root = matrix.data(),
                                      .add = detail::data_or_null<scalar_t>(add),
                                      .y = dx.data_ptr<scalar_t>(),
                                      .other = x.data_ptr<scalar_t>(),
                                      .other_width = x.size(1),
                                      .own_outer = dmatrix.data()},
                                     at::get_num_threads());
      dsource = of_blocks(dmatrix, 0, source);
      dtarget = of_blocks(dmatrix, heads, target);
    });
    return {dx, dsource, dtarget};
  }
};

}  // namespace

Tensor attention(const Graph& graph, const Tensor& x, const Tensor& source, const Tensor& target,
                 const AttentionOptions& options) {
  detail::check_matrix("attention", "x", x, graph.num_nodes());
  detail::check_matrix("attention", "source", source, graph.num_nodes());
  const std::int64_t heads = source.size(1);
  detail::check_shape("attention", "target", target, {graph.num_nodes(), heads});
  detail::check_same_type("attention", "source", source, x.scalar_type());
  detail::check_same_type("attention", "target", target, x.scalar_type());
  TORCH_CHECK(heads > 0 && x.size(1) % heads == 0,
              "attention: the width of x must be a multiple of ", heads, " heads (got ", x.size(1),
              ")");
  detail::check_if_defined("attention", "keep", options.keep,
                           {graph.num_edges() + graph.num_nodes(), heads}, x.scalar_type());
  TORCH_CHECK(!detail::needs_gradient(options.keep),
              "attention: keep is a dropout mask and must not need a gradient");
  AttentionFunction::Kept kept;
  kept.graph = graph;
  kept.slope = options.negative_slope;
  kept.keep = options.keep;
  return AttentionFunction::apply(std::move(kept), x, source, target);
}

HeadScores head_scores(const Tensor& x, const Tensor& source, const Tensor& target) {
  detail::check_floating("head_scores", "source", source);
  TORCH_CHECK(source.dim() == 2, "head_scores: source must have shape [heads, channels] (got ",
              source.sizes(), ")");
  detail::check_shape("head_scores", "target", target, source.sizes());
  detail::check_floating("head_scores", "x", x);
  TORCH_CHECK(x.dim() == 2 && x.size(1) == source.numel(), "head_scores: x must have shape [rows, ",
              source.numel(), "] (got ", x.sizes(), ")");
  detail::check_same_type("head_scores", "source", source, x.scalar_type());
  detail::check_same_type("head_scores", "target", target, x.scalar_type());
  const tensor_list result =
      HeadScoresFunction::apply(HeadScoresFunction::Kept(), x, source, target);
  return {result[0], result[1], result[2]};
}

}  // namespace hgnet
