#pragma once

#include <torch/nn/module.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hgnet/config/model_config.hpp"
#include "hgnet/core/random.hpp"
#include "hgnet/graph/sparse_matrix.hpp"
#include "hgnet/models/input.hpp"

namespace hgnet {

/// How far information travels to a node of G_0, in edges of G_0.
struct ReceptiveField {
  std::int64_t at_least = 0;  // every node depends on all nodes within this distance
  bool bounded = true;        // whether no node depends on nodes farther away
  std::string text;
};

/// The part of a model that computes a row for every node of G_0.
class Network : public torch::nn::Module {
 public:
  /// [N, width()]. The generator is for dropout.
  virtual torch::Tensor forward(const Input& input, Generator& generator) = 0;

  virtual std::int64_t width() const = 0;
  /// One line per layer.
  virtual std::vector<std::string> structure() const = 0;
  virtual ReceptiveField receptive_field() const = 0;
  /// Parameters of the layer that sees the features (with rows of edges: of the node encoder).
  virtual std::vector<torch::Tensor> first_layer_parameters() const = 0;
  /// wl: chooses the colours that it tells apart by these samples' rows; see Model::learn_colours.
  virtual void learn_colours(const SparseMatrix&, std::span<const std::int64_t>) {}
  /// Buffers whose length is not in the configuration: it follows from the training samples.
  virtual std::vector<std::string> lists() const { return {}; }
};

// The networks of src/models/model.cpp's table. `outputs` is the width of the rows: for node tasks,
// that of the predictions. For hierarchical ones see hgnet.hpp.

/// A chain of layers.
std::shared_ptr<Network> make_flat_network(const ModelConfig& config, std::int64_t outputs,
                                           Generator& generator);

/// A linear layer on counts of Weisfeiler-Lehman colours after 0 .. layers rounds. Takes features,
/// or the counts themselves (colour_rows); for graph tasks it gives one row per graph.
std::shared_ptr<Network> make_wl_network(const ModelConfig& config, std::int64_t outputs,
                                         Generator& generator);

/// mlp: two layers on the row of a node; for graph tasks, the rows as they are.
std::shared_ptr<Network> make_rows_network(const ModelConfig& config, std::int64_t outputs,
                                           Generator& generator);

}  // namespace hgnet
