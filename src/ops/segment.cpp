#include "hgnet/ops/segment.hpp"

#include "kernels/segment_max.hpp"
#include "ops/common.hpp"
#include "ops/parent_rows.hpp"

namespace hgnet {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

/// 1 / number of members, 0 without members.
Tensor inverse_sizes(const ParentMap& map, torch::ScalarType type) {
  Tensor inverse = torch::empty({map.num_parents()}, type);
  AT_DISPATCH_FLOATING_TYPES(type, "segment_mean", [&] {
    auto* out = inverse.data_ptr<scalar_t>();
    for (NodeId p = 0; p < map.num_parents(); ++p) {
      const auto size = map.members(p).size();
      out[p] = size == 0 ? scalar_t{0} : scalar_t{1} / static_cast<scalar_t>(size);
    }
  });
  return inverse;
}

/// y = S x with S the sum or, given `scale`, the mean over members; backward gathers.
struct SegmentSumFunction : torch::autograd::Function<SegmentSumFunction> {
  static Tensor forward(AutogradContext* ctx, const Tensor& x, const ParentMap& map,
                        const torch::optional<Tensor>& scale_in) {
    const Tensor scale = detail::undefined_or(scale_in);
    detail::keep(ctx, "map", map);
    ctx->save_for_backward({scale});
    return detail::sum_of_members(x.contiguous(), map, scale);
  }

  static tensor_list backward(AutogradContext* ctx, const tensor_list& grads) {
    detail::check_differentiated_once("segment_sum");
    const Tensor scale = ctx->get_saved_variables()[0];
    return {
        detail::row_of_parent(grads[0].contiguous(), detail::kept<ParentMap>(ctx, "map"), scale),
        Tensor(), Tensor()};
  }
};

struct GatherFunction : torch::autograd::Function<GatherFunction> {
  static Tensor forward(AutogradContext* ctx, const Tensor& x, const ParentMap& map,
                        const torch::optional<Tensor>& add) {
    detail::keep(ctx, "map", map);
    ctx->saved_data["adds"] = add.has_value();
    return detail::row_of_parent(x.contiguous(), map, Tensor(),
                                 detail::contiguous_or_undefined(detail::undefined_or(add)));
  }

  static tensor_list backward(AutogradContext* ctx, const tensor_list& grads) {
    detail::check_differentiated_once("gather");
    return {detail::sum_of_members(grads[0].contiguous(), detail::kept<ParentMap>(ctx, "map")),
            Tensor(), ctx->saved_data["adds"].toBool() ? grads[0] : Tensor()};
  }
};

struct SegmentMaxFunction : torch::autograd::Function<SegmentMaxFunction> {
  static Tensor forward(AutogradContext* ctx, const Tensor& x_in, const ParentMap& map) {
    const Tensor x = x_in.contiguous();
    Tensor y = detail::empty_with_rows(x, map.num_parents());
    Tensor first;
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "segment_max", [&] {
      using Index = kernels::IndexOf<scalar_t>::type;
      first = torch::empty(y.sizes(), torch::CppTypeToScalarType<Index>::value);
      kernels::segment_max<scalar_t>(map.members(), x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(),
                                     first.data_ptr<Index>(), detail::row_width(x),
                                     at::get_num_threads());
    });
    detail::keep(ctx, "map", map);
    ctx->save_for_backward({first});
    return y;
  }

  static tensor_list backward(AutogradContext* ctx, const tensor_list& grads) {
    detail::check_differentiated_once("segment_max");
    const auto& map = detail::kept<ParentMap>(ctx, "map");
    const Tensor first = ctx->get_saved_variables()[0];
    const Tensor dy = grads[0].contiguous();
    Tensor dx = detail::empty_with_rows(dy, map.num_children());
    AT_DISPATCH_FLOATING_TYPES(dy.scalar_type(), "segment_max", [&] {
      using Index = kernels::IndexOf<scalar_t>::type;
      kernels::segment_max_backward<scalar_t>(map.parents().data(), map.num_children(),
                                              first.data_ptr<Index>(), dy.data_ptr<scalar_t>(),
                                              dx.data_ptr<scalar_t>(), detail::row_width(dy),
                                              at::get_num_threads());
    });
    return {dx, Tensor()};
  }
};

}  // namespace

Tensor segment_sum(const Tensor& x, const ParentMap& map) {
  detail::check_rows("segment_sum", "x", x, map.num_children());
  return SegmentSumFunction::apply(x, map, detail::maybe({}));
}

Tensor segment_mean(const Tensor& x, const ParentMap& map) {
  detail::check_rows("segment_mean", "x", x, map.num_children());
  return SegmentSumFunction::apply(x, map, detail::maybe(inverse_sizes(map, x.scalar_type())));
}

Tensor segment_max(const Tensor& x, const ParentMap& map) {
  detail::check_rows("segment_max", "x", x, map.num_children());
  return SegmentMaxFunction::apply(x, map);
}

Tensor gather(const Tensor& x, const ParentMap& map) {
  detail::check_rows("gather", "x", x, map.num_parents());
  return GatherFunction::apply(x, map, detail::maybe({}));
}

Tensor add_gathered(const Tensor& rows, const Tensor& x, const ParentMap& map) {
  detail::check_rows("add_gathered", "x", x, map.num_parents());
  std::vector<std::int64_t> shape = x.sizes().vec();
  shape[0] = map.num_children();
  detail::check_shape("add_gathered", "rows", rows, shape);
  detail::check_same_type("add_gathered", "rows", rows, x.scalar_type());
  return GatherFunction::apply(x, map, detail::maybe(rows));
}

}  // namespace hgnet
