#include "hgnet/nn/join.hpp"
#include "hgnet/ops/segment.hpp"

namespace hgnet {
namespace {

LayerOptions of_two_rows(LayerOptions options) {
  options.in *= 2;
  return options;
}

/// x = layer(G_l, [x_l | parents' rows]); zeros for a node without a parent.
class ConcatJoin : public Join {
 public:
  ConcatJoin(const JoinOptions& o, Generator& generator)
      : Join(make_layer(of_two_rows(o.layer), generator), o.block) {}

  torch::Tensor forward(const FineLevel& level, const torch::Tensor& coarse,
                        Generator& generator) override {
    const torch::Tensor parents = gather(unscored(level, coarse), level.parent);
    Features x = torch::cat({level.x, parents}, 1);
    return block->forward({level.graph, x}, generator, level.at_a_time);
  }
};

}  // namespace

std::shared_ptr<Join> make_concat_join(const JoinOptions& options, Generator& generator) {
  return std::make_shared<ConcatJoin>(options, generator);
}

}  // namespace hgnet
