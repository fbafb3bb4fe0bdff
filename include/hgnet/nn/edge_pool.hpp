#pragma once

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include "hgnet/coarsening/coarse_graph.hpp"
#include "hgnet/coarsening/contraction.hpp"
#include "hgnet/core/random.hpp"
#include "hgnet/graph/hierarchy.hpp"

namespace hgnet {

/// A level that was coarsened together with its rows.
struct PooledLevel {
  Level level;
  torch::Tensor x;      // rows of the coarse nodes
  torch::Tensor fine;   // rows of the fine nodes, for further use: see ProductAndRows
  torch::Tensor score;  // what each coarse row was multiplied with, if asked for; or undefined
  NodeOrder order;      // of the coarse nodes, for the next contraction
};

/// EdgePool (Diehl): s_uv = 0.5 + softmax over the edges into v of w . [x_u ; x_v] + b; greedy contraction by s;
/// x_p = s_uv (x_u + x_v), or x_v for a node left alone. Gradients flow through x and s, not through the choice.
class EdgePoolImpl : public torch::nn::Module {
 public:
  EdgePoolImpl(std::int64_t width, const CoarseGraphOptions& options, Generator& generator);

  /// `order` is that of the level below (PooledLevel::order), by id for G_0. `with_score`: for a way down that
  /// divides by the score, which then has a gradient, too.
  PooledLevel forward(const Graph& graph, const torch::Tensor& x, const NodeOrder& order,
                      bool with_score) const;

  torch::Tensor weight;  // [2, width]: w of the source, w of the target
  torch::Tensor bias;    // [1]

 private:
  CoarseGraphOptions options_;
};
TORCH_MODULE(EdgePool);

}  // namespace hgnet
