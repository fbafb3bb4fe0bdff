#pragma once

#include <torch/nn/module.h>

#include <memory>
#include <string>

#include "hgnet/core/random.hpp"
#include "hgnet/graph/graph.hpp"
#include "hgnet/nn/features.hpp"
#include "hgnet/nn/kinds.hpp"
#include "hgnet/ops/messages.hpp"

namespace hgnet {

/// A layer over one graph. Its bias is left to the Tail that follows, which adds it in passing.
class GraphLayer : public torch::nn::Module {
 public:
  /// z such that the layer's result is z + bias. Edge rows are read by the molecule layers alone; the generator
  /// is for dropout inside the layer. x stays the same rows, for whoever uses them further on: see ProductAndRows.
  virtual torch::Tensor propagate(const Graph& graph, Features& x, const EdgeRows& edges,
                                  Generator& generator) = 0;
  torch::Tensor forward(const Graph& graph, const Features& x, const EdgeRows& edges,
                        Generator& generator) {
    Features rows = x;
    const torch::Tensor z = propagate(graph, rows, edges, generator);
    return bias.defined() ? z + bias : z;
  }

  virtual std::int64_t width() const = 0;
  /// How far, in edges, one application reaches.
  virtual int hops() const { return 1; }
  /// "gcn 32 -> 7".
  virtual std::string text() const = 0;

  torch::Tensor bias;  // [width], or undefined
};

struct LayerOptions {
  LayerKind kind = LayerKind::kGcn;
  bool molecule = false;  // the molecule forms of gcn and gin, which read edge rows
  std::int64_t in = 0;
  std::int64_t out = 0;
  std::int64_t heads = 1;        // gat: `out` is the width of all heads together
  double attention_dropout = 0;  // gat
  int cheb_order = 2;            // cheb: K
  bool batch_norm = false;       // gin: inside its MLP
  bool trainable_eps = false;    // gin
};

std::shared_ptr<GraphLayer> make_layer(const LayerOptions& options, Generator& generator);

}  // namespace hgnet
