#include "hgnet/ops/merge.hpp"

#include <vector>

#include "kernels/gather.hpp"
#include "ops/common.hpp"
#include "ops/parent_rows.hpp"

namespace hgnet {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

struct MergeFunction : torch::autograd::Function<MergeFunction> {
  static tensor_list forward(AutogradContext* ctx, const Tensor& x_in, const Tensor& scores,
                             const Tensor& merge_score, const Contraction& contraction) {
    const Tensor x = x_in.contiguous();
    detail::keep(ctx, "contraction", contraction);
    ctx->saved_data["num_scores"] = scores.size(0);
    ctx->save_for_backward({x, merge_score});
    ctx->set_materialize_grads(false);
    return {detail::sum_of_members(x, contraction.parent, merge_score), x_in};
  }

  static tensor_list backward(AutogradContext* ctx, const tensor_list& grads) {
    detail::check_differentiated_once("merge_rows");
    if (!grads[0].defined()) return {grads[1], Tensor(), Tensor(), Tensor()};
    const auto saved = ctx->get_saved_variables();
    const Tensor& x = saved[0];
    const Tensor& merge_score = saved[1];
    const auto& contraction = detail::kept<Contraction>(ctx, "contraction");
    const ParentMap& parent = contraction.parent;
    const Tensor dy = grads[0].contiguous();
    const Tensor of_rows = detail::contiguous_or_undefined(grads[1]);
    Tensor dx = detail::empty_result({x.size(0), x.size(1)}, x.options());
    Tensor dscores = torch::zeros({ctx->saved_data["num_scores"].toInt()}, dy.options());
    AT_DISPATCH_FLOATING_TYPES(dy.scalar_type(), "merge_rows", [&] {
      std::vector<scalar_t> dot(x.size(0));  // of each member's row with dy
      kernels::gather_rows<scalar_t>({.parent = parent.parents().data(),
                                      .num_rows = x.size(0),
                                      .channels = x.size(1),
                                      .scale = merge_score.data_ptr<scalar_t>(),
                                      .x = dy.data_ptr<scalar_t>(),
                                      .add = detail::data_or_null<scalar_t>(of_rows),
                                      .y = dx.data_ptr<scalar_t>(),
                                      .own = x.data_ptr<scalar_t>(),
                                      .dot = dot.data()},
                                     at::get_num_threads());
      auto* dscore = dscores.data_ptr<scalar_t>();
      for (NodeId p = 0; p < parent.num_parents(); ++p) {
        if (contraction.slot[p] == kNoSlot) continue;
        for (const NodeId v : parent.members(p)) dscore[contraction.slot[p]] += dot[v];
      }
    });
    return {dx, dscores, Tensor(), Tensor()};
  }
};

}  // namespace

MergedRows merge_rows(const Tensor& x, const Tensor& scores, const Contraction& contraction) {
  const ParentMap& parent = contraction.parent;
  detail::check_matrix("merge_rows", "x", x, parent.num_children());
  detail::check_floating("merge_rows", "scores", scores);
  detail::check_same_type("merge_rows", "scores", scores, x.scalar_type());
  Tensor merge_score = torch::ones({parent.num_parents()}, x.options().requires_grad(false));
  const Tensor by_slot = scores.detach().contiguous();
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "merge_rows", [&] {
    auto* to = merge_score.data_ptr<scalar_t>();
    const auto* from = by_slot.data_ptr<scalar_t>();
    for (NodeId p = 0; p < parent.num_parents(); ++p) {
      const EdgeId slot = contraction.slot[p];
      TORCH_CHECK(slot < by_slot.size(0), "merge_rows: slot ", slot, " of ", by_slot.size(0));
      if (slot != kNoSlot) to[p] = from[slot];
    }
  });
  const tensor_list result = MergeFunction::apply(x, scores, merge_score, contraction);
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
