#include "hgnet/nn/join.hpp"
#include "hgnet/nn/layers/edge_rows.hpp"

namespace hgnet {
namespace {

/// x = GCN over G_l of x_l with the parent's row as one more neighbour ("addnode"): see
/// ParentGcnLayer. The only join that reads the rows of edges.
class ParentJoin : public Join {
 public:
  ParentJoin(const JoinOptions& o, Generator& generator)
      : Join(std::make_shared<ParentGcnLayerImpl>(o.layer.in, o.layer.out, generator), o.block) {}

  torch::Tensor forward(const FineLevel& level, const torch::Tensor& coarse,
                        Generator& generator) override {
    Features x = level.x;
    return block->forward({level.graph, x, level.edges, {unscored(level, coarse), level.parent}},
                          generator, level.at_a_time);
  }
};

}  // namespace

std::shared_ptr<Join> make_parent_join(const JoinOptions& options, Generator& generator) {
  return std::make_shared<ParentJoin>(options, generator);
}

}  // namespace hgnet
