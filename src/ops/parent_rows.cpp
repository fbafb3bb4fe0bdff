#include "ops/parent_rows.hpp"

#include "kernels/gather.hpp"
#include "kernels/spmm.hpp"

namespace hgnet::detail {

torch::Tensor sum_of_members(const torch::Tensor& x, const ParentMap& map,
                             const torch::Tensor& scale) {
  torch::Tensor y = empty_with_rows(x, map.num_parents());
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "sum_of_members", [&] {
    const std::int64_t channels = row_width(x);
    kernels::spmm<scalar_t>({.a = map.members(),
                             .row_scale = data_or_null<scalar_t>(scale),
                             .x = {x.data_ptr<scalar_t>(), channels},
                             .y = {y.data_ptr<scalar_t>(), channels},
                             .channels = channels},
                            at::get_num_threads());
  });
  return y;
}

torch::Tensor row_of_parent(const torch::Tensor& x, const ParentMap& map,
                            const torch::Tensor& scale, const torch::Tensor& add) {
  torch::Tensor y = empty_with_rows(x, map.num_children());
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "row_of_parent", [&] {
    kernels::gather_rows<scalar_t>({.parent = map.parents().data(),
                                    .num_rows = map.num_children(),
                                    .channels = row_width(x),
                                    .scale = data_or_null<scalar_t>(scale),
                                    .x = x.data_ptr<scalar_t>(),
                                    .add = data_or_null<scalar_t>(add),
                                    .y = y.data_ptr<scalar_t>()},
                                   at::get_num_threads());
  });
  return y;
}

}  // namespace hgnet::detail
