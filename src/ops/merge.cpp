#include "hgnet/ops/merge.hpp"

#include "ops/common.hpp"
#include "ops/cpu/kernels.hpp"

namespace hgnet {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

struct MergeFunction : torch::autograd::Function<MergeFunction> {
  static Tensor forward(AutogradContext* ctx, const Tensor& x_in, const Tensor& scores,
                        const Tensor& merge_score, const Contraction& contraction) {
    const Tensor x = x_in.contiguous();
    const ParentMap& parent = contraction.parent;
    Tensor y = detail::empty_result({parent.num_parents(), x.size(1)}, x.options());
    AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "merge_rows", [&] {
      cpu::spmm<scalar_t>({.a = parent.members(),
                           .row_scale = merge_score.data_ptr<scalar_t>(),
                           .x = {x.data_ptr<scalar_t>(), x.size(1)},
                           .y = {y.data_ptr<scalar_t>(), x.size(1)},
                           .channels = x.size(1)},
                          at::get_num_threads());
    });
    detail::keep(ctx, "contraction", contraction);
    ctx->saved_data["num_scores"] = scores.size(0);
    ctx->save_for_backward({y, merge_score});
    return y;
  }

  static tensor_list backward(AutogradContext* ctx, const tensor_list& grads) {
    detail::check_differentiated_once("merge_rows");
    const auto saved = ctx->get_saved_variables();
    const Tensor& y = saved[0];
    const Tensor& merge_score = saved[1];
    const auto& contraction = detail::kept<Contraction>(ctx, "contraction");
    const ParentMap& parent = contraction.parent;
    const Tensor dy = grads[0].contiguous();
    const std::int64_t channels = dy.size(1);
    Tensor dx = detail::empty_result({parent.num_children(), channels}, dy.options());
    Tensor dscores = torch::zeros({ctx->saved_data["num_scores"].toInt()}, dy.options());
    AT_DISPATCH_FLOATING_TYPES(dy.scalar_type(), "merge_rows", [&] {
      const auto* score = merge_score.data_ptr<scalar_t>();
      cpu::gather_rows<scalar_t>(parent.parents().data(), parent.num_children(), score,
                                 dy.data_ptr<scalar_t>(), dx.data_ptr<scalar_t>(), channels,
                                 at::get_num_threads());
      // dy . (y / s): the members' sum is not kept apart from y.
      Tensor dots = torch::empty({parent.num_parents()}, dy.options());
      cpu::row_dots<scalar_t>(parent.num_parents(), channels, dy.data_ptr<scalar_t>(),
                              y.data_ptr<scalar_t>(), dots.data_ptr<scalar_t>(),
                              at::get_num_threads());
      for (NodeId p = 0; p < parent.num_parents(); ++p) {
        const EdgeId slot = contraction.slot[p];
        if (slot != kNoSlot)
          dscores.data_ptr<scalar_t>()[slot] = dots.data_ptr<scalar_t>()[p] / score[p];
      }
    });
    return {dx, dscores, Tensor(), Tensor()};
  }
};

}  // namespace

Tensor merge_rows(const Tensor& x, const Tensor& scores, const Contraction& contraction) {
  const ParentMap& parent = contraction.parent;
  detail::check_matrix("merge_rows", "x", x, parent.num_children());
  detail::check_floating("merge_rows", "scores", scores);
  detail::check_same_type("merge_rows", "scores", scores, x.scalar_type());
  Tensor merge_score = torch::ones({parent.num_parents()}, x.options().requires_grad(false));
  const Tensor by_slot = scores.detach().contiguous();
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "merge_rows", [&] {
    for (NodeId p = 0; p < parent.num_parents(); ++p) {
      const EdgeId slot = contraction.slot[p];
      TORCH_CHECK(slot < by_slot.size(0), "merge_rows: slot ", slot, " of ", by_slot.size(0));
      if (slot != kNoSlot) merge_score.data_ptr<scalar_t>()[p] = by_slot.data_ptr<scalar_t>()[slot];
    }
  });
  return MergeFunction::apply(x, scores, merge_score, contraction);
}

Tensor contracted_scores(const Tensor& scores, const Contraction& contraction) {
  const auto parents = static_cast<std::int64_t>(contraction.slot.size());
  // Nodes left alone pick from one more entry at the end, which is 1.
  Tensor pick = torch::empty({parents}, torch::kLong);
  for (std::int64_t p = 0; p < parents; ++p) {
    const EdgeId slot = contraction.slot[p];
    pick.data_ptr<std::int64_t>()[p] = slot == kNoSlot ? scores.size(0) : slot;
  }
  return torch::cat({scores, torch::ones({1}, scores.options().requires_grad(false))})
      .index_select(0, pick);
}

}  // namespace hgnet
