#pragma once

#include <memory>
#include <string>

#include "hgnet/nn/block.hpp"

namespace hgnet {

/// A level as the path to coarser levels leaves it for the path back.
struct FineLevel {
  Graph graph;                 // G_l
  torch::Tensor x;             // x_l
  ParentMap parent;            // of its nodes, in G_{l+1}
  torch::Tensor score;         // see Pooled
  EdgeRows edges;              // for layers that read them
  std::int64_t at_a_time = 0;  // see Input
};

/// The step back from level l + 1: level l combines its rows with those of its parents. The layer
/// that does this is in the block.
class Join : public torch::nn::Module {
 public:
  /// x = join_l(G_l, x_l, parent_l, x_{l+1}); `coarse` is x_{l+1}.
  virtual torch::Tensor forward(const FineLevel& level, const torch::Tensor& coarse,
                                Generator& generator) = 0;

  /// "rgcn 32 -> 32 (join rgcn), elu".
  std::string text() const { return block->text(); }

  Block block{nullptr};

 protected:
  Join(std::shared_ptr<GraphLayer> layer, const BlockOptions& options);
};

/// Rows of the coarse nodes without the score that pooling multiplied them by.
torch::Tensor unscored(const FineLevel& level, const torch::Tensor& coarse);

struct JoinOptions {
  LayerOptions layer;  // from a level's rows to the result; joins sum and concat use it
  Aggregation aggregation = Aggregation::kSum;  // rgcn
  BlockOptions block;
};

/// The joins, one file each:
///   rgcn    x = RGCN over G_l of x_l, each node linked to its parent's row; keeps the score
///   sum     x = layer(G_l, x_l + parents' rows)
///   concat  x = layer(G_l, [x_l | parents' rows])
///   parent  x = GCN over G_l of x_l with the parent's row as one more neighbour
std::shared_ptr<Join> make_join(JoinKind kind, const JoinOptions& options, Generator& generator);

}  // namespace hgnet
