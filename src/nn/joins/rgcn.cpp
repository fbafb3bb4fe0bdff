#include "hgnet/nn/layers/rgcn.hpp"

#include "hgnet/nn/join.hpp"

namespace hgnet {
namespace {

/// x = RGCN over G_l of x_l; relation 1 links each node to its parent's row.
class RgcnJoin : public Join {
 public:
  RgcnJoin(const JoinOptions& o, Generator& generator)
      : Join(std::make_shared<RgcnLayerImpl>(RgcnOptions{o.layer.in, o.layer.out, o.aggregation},
                                             generator),
             o.block) {}

  torch::Tensor forward(const FineLevel& level, const torch::Tensor& coarse,
                        Generator& generator) override {
    Features x = level.x;
    return block->forward({level.graph, x, {}, {coarse, level.parent}}, generator, level.at_a_time);
  }
};

}  // namespace

std::shared_ptr<Join> make_rgcn_join(const JoinOptions& options, Generator& generator) {
  return std::make_shared<RgcnJoin>(options, generator);
}

}  // namespace hgnet
