#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hgnet/config/model_table.hpp"
#include "hgnet/models/network.hpp"
#include "hgnet/nn/linear.hpp"

namespace hgnet {

/// A network and, for graph tasks, a readout and a classifier. Deterministic: all its randomness
/// comes from the seed. While training, not safe for use by several threads at once.
class Model : public torch::nn::Module {
 public:
  /// Throws Error for a configuration that check() rejects.
  Model(const ModelConfig& config, std::uint64_t seed);

  /// Logits, or regression targets: [nodes, outputs] or [graphs, outputs]. Throws InvalidGraph or
  /// c10::Error, saying what does not match, for an unsuitable input.
  torch::Tensor forward(const Input& input);

  /// Computes what the model needs before it can be applied to a graph: the graph itself and, for a
  /// static coarsening, its levels. Do this once per graph and keep the result; for a batch, join
  /// the results (Hierarchy::joined).
  Hierarchy prepare(const Graph& graph) const;

  /// The rows of all nodes before readout and classifier: [N, width].
  torch::Tensor node_rows(const Input& input);

  /// wl: chooses the colours that it tells apart, the most frequent ones in these samples' rows
  /// (colour_rows), before training. Nothing for other models.
  void learn_colours(const SparseMatrix& rows, std::span<const std::int64_t> samples) {
    network_->learn_colours(rows, samples);
  }
  /// Names of the buffers that have any length; see Network::lists.
  std::vector<std::string> lists() const;

  const ModelConfig& config() const { return config_; }
  std::int64_t num_parameters() const;
  /// Parameters of the first graph layer, which sees the features (with rows of edges: of the node
  /// encoder).
  std::vector<torch::Tensor> first_layer_parameters() const;
  /// Parameters of which only the direction counts, as p in top-k's y = X p / |p|. The loss does
  /// not hold their length, so an L2 penalty alone moves it, to 0, where y is NaN: leave them
  /// out.
  std::vector<torch::Tensor> directions() const;
  ReceptiveField receptive_field() const { return network_->receptive_field(); }
  /// Structure, number of parameters and receptive field, as text.
  std::string describe() const;

  /// The generator for dropout; part of a training checkpoint.
  Generator& generator() { return generator_; }

 private:
  void check_input(const Input& input) const;

  ModelConfig config_;
  Generator generator_;
  std::shared_ptr<Network> network_;
  Linear classifier_first_{nullptr};
  Linear classifier_second_{nullptr};
};

/// A new model with weights drawn from the seed.
std::shared_ptr<Model> make_model(const ModelConfig& config, std::uint64_t seed);

}  // namespace hgnet
