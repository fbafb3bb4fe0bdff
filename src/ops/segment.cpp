#include "hgnet/ops/segment.hpp"

#include "kernels/segment_max.hpp"
#include "ops/common.hpp"
#include "ops/function.hpp"
#include "ops/parent_rows.hpp"

namespace hgnet {
namespace {

using detail::tensor_list;
using torch::Tensor;

/// 1 / number of members, 0 without members.
Tensor inverse_sizes(const ParentMap& map, torch::ScalarType type) {
  Tensor inverse = detail::empty({map.num_parents()}, type);
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
struct SegmentSumFunction : detail::Function<SegmentSumFunction> {
  static constexpr const char* kName = "segment_sum";
  struct Kept {
    ParentMap map;
    Tensor scale;
  };

  static Tensor forward(const Kept& kept, const Tensor& x) {
    return detail::sum_of_members(x.contiguous(), kept.map, kept.scale);
  }

  static tensor_list backward(const Kept& kept, const tensor_list& grads) {
    return {detail::row_of_parent(grads[0].contiguous(), kept.map, kept.scale)};
  }
};

struct GatherFunction : detail::Function<GatherFunction> {
  static constexpr const char* kName = "gather";
  struct Kept {
    ParentMap map;
    bool adds = false;
  };

  static Tensor forward(Kept& kept, const Tensor& x, const Tensor& add) {
    kept.adds = add.defined();
    return detail::row_of_parent(x.contiguous(), kept.map, Tensor(),
                                 detail::contiguous_or_undefined(add));
  }

  static tensor_list backward(const Kept& kept, const tensor_list& grads) {
    return {detail::sum_of_members(grads[0].contiguous(), kept.map),
            kept.adds ? grads[0] : Tensor()};
  }
};

struct SegmentMaxFunction : detail::Function<SegmentMaxFunction> {
  static constexpr const char* kName = "segment_max";
  struct Kept {
    ParentMap map;
    Tensor first;  // by parent and channel: the member with the largest value
  };

  static Tensor forward(Kept& kept, const Tensor& x_in) {
    const Tensor x = x_in.contiguous();
    Tensor y = detail::empty_with_rows(x, kept.map.num_parents());
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "segment_max", [&] {
      using Index = kernels::IndexOf<scalar_t>::type;
      kept.first = detail::empty(y.sizes(), torch::CppTypeToScalarType<Index>::value);
      kernels::segment_max<scalar_t>(kept.map.members(), x.data_ptr<scalar_t>(),
                                     y.data_ptr<scalar_t>(), kept.first.data_ptr<Index>(),
                                     detail::row_width(x), at::get_num_threads());
    });
    return y;
  }

  static tensor_list backward(const Kept& kept, const tensor_list& grads) {
    const Tensor dy = grads[0].contiguous();
    Tensor dx = detail::empty_with_rows(dy, kept.map.num_children());
    AT_DISPATCH_FLOATING_TYPES(dy.scalar_type(), "segment_max", [&] {
      using Index = kernels::IndexOf<scalar_t>::type;
      kernels::segment_max_backward<scalar_t>(kept.map.parents().data(), kept.map.num_children(),
                                              kept.first.data_ptr<Index>(), dy.data_ptr<scalar_t>(),
                                              dx.data_ptr<scalar_t>(), detail::row_width(dy),
                                              at::get_num_threads());
    });
    return {dx};
  }
};

}  // namespace

Tensor segment_sum(const Tensor& x, const ParentMap& map) {
  detail::check_rows("segment_sum", "x", x, map.num_children());
  return SegmentSumFunction::apply(SegmentSumFunction::Kept{map, {}}, x);
}

Tensor segment_mean(const Tensor& x, const ParentMap& map) {
  detail::check_rows("segment_mean", "x", x, map.num_children());
  return SegmentSumFunction::apply(
      SegmentSumFunction::Kept{map, inverse_sizes(map, x.scalar_type())}, x);
}

Tensor segment_max(const Tensor& x, const ParentMap& map) {
  detail::check_rows("segment_max", "x", x, map.num_children());
  return SegmentMaxFunction::apply(SegmentMaxFunction::Kept{map, {}}, x);
}

Tensor gather(const Tensor& x, const ParentMap& map) {
  detail::check_rows("gather", "x", x, map.num_parents());
  return GatherFunction::apply(GatherFunction::Kept{map}, x, Tensor());
}

Tensor add_gathered(const Tensor& rows, const Tensor& x, const ParentMap& map) {
  detail::check_rows("add_gathered", "x", x, map.num_parents());
  std::vector<std::int64_t> shape = x.sizes().vec();
  shape[0] = map.num_children();
  detail::check_shape("add_gathered", "rows", rows, shape);
  detail::check_same_type("add_gathered", "rows", rows, x.scalar_type());
  return GatherFunction::apply(GatherFunction::Kept{map}, x, rows);
}

}  // namespace hgnet
