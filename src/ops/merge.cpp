#include "hgnet/ops/merge.hpp"

#include <algorithm>
#include <vector>

#include "kernels/gather.hpp"
#include "ops/common.hpp"
#include "ops/function.hpp"
#include "ops/parent_rows.hpp"

namespace hgnet {
namespace {

using detail::tensor_list;
using torch::Tensor;

struct MergeFunction : detail::Function<MergeFunction> {
  static constexpr const char* kName = "merge_rows";
  struct Kept {
    Contraction contraction;
    Tensor merge_score;  // by coarse node
    detail::Saved x;
    std::int64_t num_scores = 0;
  };

  static tensor_list forward(Kept& kept, const Tensor& x_in, const Tensor& scores) {
    const Tensor x = x_in.contiguous();
    kept.x = x;
    kept.num_scores = scores.size(0);
    return {detail::sum_of_members(x, kept.contraction.parent, kept.merge_score),
            detail::alias(x_in)};
  }

  static tensor_list backward(const Kept& kept, const tensor_list& grads) {
    if (!grads[0].defined()) return {grads[1], Tensor()};
    const Tensor x = kept.x.get();
    const Contraction& contraction = kept.contraction;
    const ParentMap& parent = contraction.parent;
    const Tensor dy = grads[0].contiguous();
    const Tensor dx = grads[1].defined() ? detail::over(grads[1]) : detail::like(x);
    const Tensor of_rows = detail::contiguous_or_undefined(grads[1]);
    Tensor dscores = detail::empty({kept.num_scores}, dy.scalar_type());
    AT_DISPATCH_FLOATING_TYPES(dy.scalar_type(), "merge_rows", [&] {
      std::vector<scalar_t> dot(x.size(0));  // of each member's row with dy
      kernels::gather_rows<scalar_t>({.parent = parent.parents().data(),
                                      .num_rows = x.size(0),
                                      .channels = x.size(1),
                                      .scale = kept.merge_score.data_ptr<scalar_t>(),
                                      .x = dy.data_ptr<scalar_t>(),
                                      .add = detail::data_or_null<scalar_t>(of_rows),
                                      .y = dx.data_ptr<scalar_t>(),
                                      .own = x.data_ptr<scalar_t>(),
                                      .dot = dot.data()},
                                     at::get_num_threads());
      auto* dscore = dscores.data_ptr<scalar_t>();
      std::fill_n(dscore, kept.num_scores, scalar_t{0});
      for (NodeId p = 0; p < parent.num_parents(); ++p) {
        if (contraction.slot[p] == kNoSlot) continue;
        for (const NodeId v : parent.members(p)) dscore[contraction.slot[p]] += dot[v];
      }
    });
    return {dx, dscores};
  }
};

}  // namespace

MergedRows merge_rows(const Tensor& x, const Tensor& scores, const Contraction& contraction) {
  const ParentMap& parent = contraction.parent;
  detail::check_matrix("merge_rows", "x", x, parent.num_children());
  detail::check_floating("merge_rows", "scores", scores);
  detail::check_same_type("merge_rows", "scores", scores, x.scalar_type());
  Tensor merge_score = detail::empty({parent.num_parents()}, x.scalar_type());
  const Tensor by_slot = detail::alias(scores).contiguous();
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "merge_rows", [&] {
    auto* to = merge_score.data_ptr<scalar_t>();
    const auto* from = by_slot.data_ptr<scalar_t>();
    for (NodeId p = 0; p < parent.num_parents(); ++p) {
      const EdgeId slot = contraction.slot[p];
      TORCH_CHECK(slot < by_slot.size(0), "merge_rows: slot ", slot, " of ", by_slot.size(0));
      to[p] = slot == kNoSlot ? scalar_t{1} : from[slot];
    }
  });
  const tensor_list result =
      MergeFunction::apply(MergeFunction::Kept{contraction, merge_score, {}, 0}, x, scores);
  return {result[0], result[1]};
}

Tensor contracted_scores(const Tensor& scores, const Contraction& contraction) {
  const auto parents = static_cast<std::int64_t>(contraction.slot.size());
  // Unmerged nodes pick an additional entry at the end, which is 1.
  Tensor pick = torch::empty({parents}, torch::kLong);
  for (std::int64_t p = 0; p < parents; ++p) {
    const EdgeId slot = contraction.slot[p];
    pick.data_ptr<std::int64_t>()[p] = slot == kNoSlot ? scores.size(0) : slot;
  }
  return torch::cat({scores, torch::ones({1}, scores.options().requires_grad(false))})
      .index_select(0, pick);
}

}  // namespace hgnet
