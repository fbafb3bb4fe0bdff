#include "hgnet/nn/join.hpp"
#include "hgnet/ops/segment.hpp"

namespace hgnet {
namespace {

/// x = layer(G_l, x_l + parents' rows); a node without a parent keeps x_l.
class SumJoin : public Join {
 public:
  SumJoin(const JoinOptions& o, Generator& generator)
      : Join(make_layer(o.layer, generator), o.block) {}

  torch::Tensor forward(const FineLevel& level, const torch::Tensor& coarse,
                        Generator& generator) override {
    Features x = add_gathered(level.x, unscored(level, coarse), level.parent);
    return block->forward({level.graph, x}, generator, level.at_a_time);
  }
};

}  // namespace

std::shared_ptr<Join> make_sum_join(const JoinOptions& options, Generator& generator) {
  return std::make_shared<SumJoin>(options, generator);
}

}  // namespace hgnet
