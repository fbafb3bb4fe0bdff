#pragma once

#include <torch/nn/module.h>

#include <memory>
#include <string>

#include "hgnet/config/kinds.hpp"
#include "hgnet/core/random.hpp"
#include "hgnet/graph/graph.hpp"
#include "hgnet/graph/normalisation.hpp"
#include "hgnet/nn/features.hpp"
#include "hgnet/ops/messages.hpp"
#include "hgnet/ops/split_spmm.hpp"

namespace hgnet {

/// What a layer is applied to.
struct LayerInput {
  const Graph& graph;
  /// One row per node. The layer may replace the tensor, but the rows stay the same, for later use:
  /// see ProductAndRows.
  Features& x;
  EdgeRows edges = {};      // of layers that read them
  ParentRows parents = {};  // rows of the level above, on the path back to finer levels
};

/// A layer over one graph. The block around it adds the bias, in a pass that it makes anyway.
class GraphLayer : public torch::nn::Module {
 public:
  /// z such that the layer's result is z + bias. The generator is for dropout inside the layer.
  virtual torch::Tensor propagate(const LayerInput& input, Generator& generator) = 0;
  /// The whole result.
  torch::Tensor forward(const Graph& graph, Features x, const EdgeRows& edges, Generator& generator,
                        const ParentRows& parents = {}) {
    const torch::Tensor z = propagate({graph, x, edges, parents}, generator);
    return bias.defined() ? z + bias : z;
  }

  virtual std::int64_t width() const = 0;
  /// The width of the edge rows, for a layer that reads them.
  virtual std::int64_t edge_width() const { return width(); }
  /// How far one application reaches, in edges.
  virtual int hops() const { return 1; }
  /// "gcn 32 -> 7".
  virtual std::string text() const = 0;

  torch::Tensor bias;  // [width], or undefined
};

struct LayerOptions {
  LayerKind kind = LayerKind::kGcn;
  bool edge_rows = false;  // the forms of gcn and gin that read edge rows
  std::int64_t in = 0;
  std::int64_t out = 0;
  std::int64_t heads = 1;                  // gat: `out` is the total width of all heads
  double attention_dropout = 0;            // gat
  int cheb_order = 2;                      // cheb: K
  bool batch_norm = false;                 // gin: inside its MLP
  bool trainable_eps = false;              // gin
  std::int64_t gin_expansion = 1;          // gin with edge rows: hidden width of its MLP / out
  SelfLoopFill fill = SelfLoopFill::kOne;  // gcn: kTwo is "improved"
};

std::shared_ptr<GraphLayer> make_layer(const LayerOptions& options, Generator& generator);

}  // namespace hgnet
